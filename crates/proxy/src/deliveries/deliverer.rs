//! The background task that sends events.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, Url};
use tender_protocol::client::failure::causes;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::Secrets;
use super::message::with_message;
use super::schedule::{self, Reply};
use crate::metrics::Metrics;
use crate::statuses::Statuses;
use crate::store::Store;
use crate::store::lease::Term;
use crate::store::outbox::{ClaimedEvent, DueEvent, Verdict};

/// How many events an instance sends at the same time.
const CONCURRENCY: usize = 8;

/// How often an instance looks for events that are due.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How much of a response is read, so that its connection can be used again. The body has no meaning.
const MAX_RESPONSE: usize = 16 << 10;

pub(super) struct Deliverer {
    pub(super) client: Client,
    pub(super) url: Url,
    /// Timeout of a request, with its response.
    pub(super) timeout: Duration,
    pub(super) store: Store,
    pub(super) statuses: Arc<Statuses>,
    pub(super) secrets: Secrets,
    pub(super) metrics: Metrics,
}

impl Deliverer {
    /// Sends events until `stop`, then waits for those that are being sent.
    pub(super) async fn run(self: Arc<Self>, stop: CancellationToken) {
        let mut sending = JoinSet::new();
        let term = Term::for_calls(self.timeout);
        loop {
            let room = CONCURRENCY.saturating_sub(sending.len());
            match self.store.claim_events(room, term).await {
                Ok(events) => {
                    for event in events {
                        sending.spawn(Arc::clone(&self).send(event));
                    }
                }
                Err(error) => tracing::warn!(%error, "can't read the notifications to be sent"),
            }
            tokio::select! {
                () = stop.cancelled() => break,
                Some(_) = sending.join_next() => {}
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
            }
            while sending.try_join_next().is_some() {}
        }
        while sending.join_next().await.is_some() {}
    }

    /// Sends an event once and stores the answer. If that fails, the event is sent again when its lease
    /// has expired.
    async fn send(self: Arc<Self>, claimed: ClaimedEvent) {
        let event = &claimed.event;
        let reply = self.post(event).await;
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
        self.metrics.sent(outcome);
        if let Err(error) = self.store.finish_event(&claimed, result).await {
            tracing::warn!(id, %error, "can't store the answer to a notification, so it is sent again");
        }
    }

    /// # Errors
    /// Why there was no response. It does not show the URL, which may contain a secret.
    async fn post(&self, event: &DueEvent) -> Result<Reply, String> {
        let request = self.client.post(self.url.clone());
        let request = with_message(request, event, &self.statuses, &self.secrets.load());
        let response = request.send().await;
        let mut response = response.map_err(|error| causes(&error.without_url()))?;
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
