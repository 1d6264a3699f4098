//! Notifications to the shop's backend: sends the events of the [outbox](crate::store::outbox) to
//! `notify_url`, as Standard Webhooks (<https://www.standardwebhooks.com>).
//!
//! An event is sent at least once, in the order of its payment's events unless it is [set aside](crate::store::outbox), and with
//! the same `webhook-id` in each try. Whatever is answered is stored for the merchant. [`schedule`] says what an answer means, and when
//! an event is sent again.

mod schedule;
mod sender;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use reqwest::Url;
use tender_protocol::request::SignedOrder;
use tender_protocol::{PaymentAsset, Record};
use tokio::task::JoinSet;

pub(crate) use self::sender::send;
use crate::clock::rfc3339;
use crate::config::Secret;
use crate::shared::Shared;
use crate::statuses::set;
use crate::store::database;
use crate::store::lease::Lease;
use crate::store::outbox::{DueEvent, Verdict};
use crate::transport::Transport;

/// How many events an instance sends at the same time.
const CONCURRENCY: usize = 8;

/// How often an instance looks for events that are due.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The longest time between two looks, if nothing changes.
const IDLE: Duration = Duration::from_mins(1);

/// Sends events. Clones share the secrets.
#[derive(Clone)]
pub(crate) struct Deliveries {
    shared: Arc<Shared>,
    transport: Transport,
    /// They sign notifications. A reload replaces them.
    secrets: Arc<ArcSwap<Vec<Secret>>>,
}

impl Deliveries {
    /// Starts to send events, if there is a receiver.
    pub(crate) fn start(shared: &Arc<Shared>, transport: Transport) -> Self {
        let settings = &shared.config.notifications;
        let deliveries = Self {
            shared: Arc::clone(shared),
            transport,
            secrets: Arc::new(ArcSwap::from_pointee(settings.secrets.clone())),
        };
        if let Some(url) = &settings.url {
            shared.tasks.spawn(deliveries.clone().run(url.clone()));
        }
        deliveries
    }

    /// Signs later notifications with these secrets.
    pub(crate) fn replace_secrets(&self, secrets: Vec<Secret>) {
        self.secrets.store(Arc::new(secrets));
    }

    /// Updates the metrics of the outbox.
    pub(crate) async fn count(&self) -> database::Result<()> {
        let Shared { store, metrics, .. } = &*self.shared;
        metrics.unsent(&store.count_events().await?);
        Ok(())
    }

    /// The payload (Standard Webhooks, "Webhook payload"). The record keeps every digit, so it is not parsed into numbers.
    fn body(&self, event: &DueEvent) -> String {
        let data = self.data(event).unwrap_or_else(|| event.record.clone());
        let (kind, timestamp) = (&event.kind, rfc3339(event.written_at));
        format!(r#"{{"type":"{kind}","timestamp":"{timestamp}","data":{data}}}"#)
    }

    /// The record with its state, its network and token, and what the shop signed; `None` if it can't be read.
    fn data(&self, event: &DueEvent) -> Option<String> {
        let mut record = Record::parse(&event.record, "a payment record").ok()?;
        self.shared.statuses.add_state(&mut record, event.facts);
        let token = record.string("paymentToken");
        let asset = token.and_then(|token| PaymentAsset::named(&token));
        set(&mut record, PaymentAsset::FIELD, asset.as_ref());
        set(&mut record, SignedOrder::FIELD, event.signed_order.as_ref());
        serde_json::to_string(&record).ok()
    }

    /// Sends events to this receiver until the proxy stops, then waits for those that are being sent.
    async fn run(self, url: Url) {
        let mut sending = JoinSet::new();
        let call = self.shared.config.notifications.timeout;
        let mut commits = self.shared.store.database.commits();
        loop {
            commits.mark_seen();
            let room = CONCURRENCY.saturating_sub(sending.len());
            let mut rest = Duration::ZERO;
            match self.shared.store.claim_events(room, call).await {
                Ok(events) if events.is_empty() && sending.is_empty() => rest = self.rest().await,
                Ok(events) => {
                    for (event, lease) in events {
                        sending.spawn(self.clone().send(url.clone(), event, lease));
                    }
                }
                Err(error) => tracing::warn!(%error, "can't read the notifications to be sent"),
            }
            let waiting = async {
                commits.next(rest).await;
                tokio::time::sleep(CHECK_INTERVAL).await;
            };
            tokio::select! {
                biased;
                () = self.shared.stop.cancelled() => break,
                Some(_) = sending.join_next() => {}
                () = waiting => {}
            }
            while sending.try_join_next().is_some() {}
        }
        while sending.join_next().await.is_some() {}
    }

    /// How long no event is due, unless something changes.
    async fn rest(&self) -> Duration {
        match self.shared.store.next_event_in().await {
            Ok(due) => due.map_or(IDLE, |due| due.saturating_sub(CHECK_INTERVAL).min(IDLE)),
            Err(_) => Duration::ZERO,
        }
    }

    /// Sends an event once and stores the answer. If that fails, the event is sent again when its lease
    /// has expired.
    async fn send(self, url: Url, event: DueEvent, lease: Lease) {
        let (body, secrets) = (self.body(&event), self.secrets.load_full());
        let reply = send(&self.transport, url, &event.id, body, &secrets).await;
        // Only for the log: the merchant would not understand it.
        let cause = reply.as_ref().err().map(ToString::to_string);
        let cause = cause.as_deref();
        let result = schedule::result(reply, event.tries);
        let (id, kind, transaction_id) = (&event.id, &event.kind, &event.transaction_id);
        let answer = &result.answer;
        let outcome = match result.verdict {
            Verdict::Delivered => {
                tracing::info!(id, kind, transaction_id, "notified the shop");
                "delivered"
            }
            Verdict::TryAgain(pause) => {
                tracing::warn!(
                    id,
                    kind,
                    transaction_id,
                    answer,
                    cause,
                    ?pause,
                    "the shop was not notified; trying again"
                );
                "failed"
            }
            Verdict::GivenUp => {
                tracing::error!(
                    id,
                    kind,
                    transaction_id,
                    answer,
                    cause,
                    "the shop was not notified, and the notification is given up; \
                     `tender-proxy notifications resend` sends it again"
                );
                "given-up"
            }
        };
        if event.is_set_aside_by(result.verdict) {
            tracing::warn!(
                id,
                kind,
                transaction_id,
                "later notifications of this payment are sent without waiting for this one"
            );
        }
        let Shared { store, metrics, .. } = &*self.shared;
        metrics.sent(outcome);
        if let Err(error) = store.finish_event(&event, lease, result).await {
            tracing::warn!(id, %error, "can't store the answer to a notification, so it is sent again");
        }
    }
}
