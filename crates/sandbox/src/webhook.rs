//! The notification of a new payment (the service's document, "Events").

use std::error::Error as _;
use std::iter::successors;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;
use tender_protocol::Payment;
use tracing::{info, warn};

use crate::service::Service;
use crate::state::Notification;

/// How long a webhook may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The client that delivers notifications.
pub(crate) fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .timeout(TIMEOUT)
        .redirect(Policy::none())
        .build()
}

/// Notifies the webhook of a new payment, once, without waiting for its answer.
pub(crate) fn notify(service: &Arc<Service>, webhook: Url, payment: Payment) {
    let service = Arc::clone(service);
    tokio::spawn(async move {
        let outcome = deliver(&service.webhook_client, webhook, &payment).await;
        // After a reset the payment is gone, and nobody asks for its notification.
        if let Ok(entry) = service.state().entry(&payment.transaction_id) {
            entry.notification = outcome;
        }
        service.settled.notify_waiters();
    });
}

/// Posts the record. A failure is logged and noted, and never fails the creation.
async fn deliver(client: &reqwest::Client, webhook: Url, payment: &Payment) -> Notification {
    let transaction_id = &payment.transaction_id;
    match client.post(webhook).json(payment).send().await {
        Ok(response) => {
            let status = response.status().as_u16();
            if response.status().is_success() {
                info!(%transaction_id, status, "webhook notified");
            } else {
                warn!(%transaction_id, status, "the webhook refused the notification");
            }
            Notification::Answered { status }
        }
        Err(failure) => {
            // The address may hold a secret: it is not logged.
            let failure = failure.without_url();
            // The library's own words name the step that failed; the last cause says why.
            let cause = successors(failure.source(), |&cause| cause.source()).last();
            let reason = match cause {
                Some(cause) => format!("{failure}: {cause}"),
                None => failure.to_string(),
            };
            warn!(%transaction_id, %reason, "the webhook can't be notified");
            Notification::Failed { reason }
        }
    }
}
