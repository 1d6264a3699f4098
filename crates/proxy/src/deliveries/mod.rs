//! Notifications to the shop's backend: sends the events of the [outbox](crate::store::outbox) to
//! `notify_url`, as Standard Webhooks (<https://www.standardwebhooks.com>).
//!
//! An event is sent at least once, in the order of its payment's events, and with the same
//! `webhook-id` in each try. Whatever is answered is stored for the merchant. [`schedule`] says what an answer means, and when
//! an event is sent again.

mod schedule;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::http::{HeaderName, HeaderValue, Method};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Request, Response, Url};
use standardwebhooks::Webhook;
use tender_protocol::request::SignedOrder;
use tender_protocol::{PaymentAsset, Record};
use tokio::task::JoinSet;

use self::schedule::Reply;
use crate::clock::{rfc3339, since_1970};
use crate::config::Secret;
use crate::shared::Shared;
use crate::statuses::set;
use crate::store::database;
use crate::store::outbox::{ClaimedEvent, DueEvent, Verdict};
use crate::transport::Transport;

/// How many events an instance sends at the same time.
const CONCURRENCY: usize = 8;

/// How often an instance looks for events that are due.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The longest time between two looks, if nothing changes.
const IDLE: Duration = Duration::from_mins(1);

/// How much of a response is read, so that its connection can be used again. The body has no meaning.
const MAX_RESPONSE: usize = 16 << 10;

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

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
        let (waiting, given_up, oldest) = store.count_events().await?;
        let oldest = Duration::from_millis(oldest.unwrap_or_default().unsigned_abs());
        metrics.unsent(waiting, given_up, oldest);
        Ok(())
    }

    /// A request with the signed message of an event (Standard Webhooks, "Webhook headers"). It is the same in each try, except
    /// for the time of the try.
    fn request(&self, url: Url, event: &DueEvent) -> Request {
        // On the clock of this machine. Receivers refuse old messages.
        let now = since_1970().as_secs();
        let seconds = i64::try_from(now).unwrap_or(i64::MAX);
        let body = self.body(event);
        // This fails only for a body that is not UTF-8, or a secret that the settings refuse.
        let sign = |secret: &Secret| {
            let webhook = Webhook::new(secret.as_str()).ok()?;
            webhook.sign(&event.id, seconds, body.as_bytes()).ok()
        };
        let signatures: Vec<_> = self.secrets.load().iter().filter_map(sign).collect();
        let mut request = Request::new(Method::POST, url);
        let texts = [(ID, event.id.clone()), (SIGNATURE, signatures.join(" "))];
        let texts = texts.into_iter().filter_map(|(name, text)| {
            let value = HeaderValue::try_from(text).ok()?;
            Some((name, value))
        });
        let others = [
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (TIMESTAMP, now.into()),
        ];
        *request.headers_mut() = texts.chain(others).collect();
        *request.body_mut() = Some(body.into());
        request
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
                    for event in events {
                        sending.spawn(self.clone().send(url.clone(), event));
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
    async fn send(self, url: Url, claimed: ClaimedEvent) {
        let event = &claimed.event;
        let reply = self.post(url, event).await;
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
                    "the shop was not notified, and the notification is given up; \
                     `tender-proxy notifications resend` sends it again"
                );
                "given-up"
            }
        };
        let Shared { store, metrics, .. } = &*self.shared;
        metrics.sent(outcome);
        if let Err(error) = store.finish_event(&claimed, result).await {
            tracing::warn!(id, %error, "can't store the answer to a notification, so it is sent again");
        }
    }

    /// # Errors
    /// Why there was no response.
    async fn post(&self, url: Url, event: &DueEvent) -> Result<Reply, String> {
        let response = self.transport.send(self.request(url, event)).await;
        let mut response = response.map_err(|failure| failure.to_string())?;
        let reply = Reply {
            status: response.status(),
            retry_after: retry_after(&response),
        };
        let mut read = 0;
        while read <= MAX_RESPONSE
            && let Ok(Some(chunk)) = response.chunk().await
        {
            read += chunk.len();
        }
        Ok(reply)
    }
}

/// In seconds. The other form, a date, depends on the receiver's clock and is ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}
