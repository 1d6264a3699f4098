//! The notification of a new payment (the service's document, "Events").

use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;
use tender_protocol::Payment;
use tender_protocol::client::failure::causes;
use tracing::{info, warn};

use crate::state::Notification;

/// Timeout of a notification.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The HTTP client for notifications.
pub(crate) fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .timeout(TIMEOUT)
        .redirect(Policy::none())
        .build()
}

/// Posts the record. A failure is logged and stored; the payment is created anyway.
pub(crate) async fn deliver(
    client: &reqwest::Client,
    webhook: Url,
    payment: &Payment,
) -> Notification {
    let transaction_id = &payment.transaction_id;
    match client.post(webhook).json(payment).send().await {
        Ok(response) => {
            let status = response.status().as_u16();
            if response.status().is_success() {
                info!(%transaction_id, status, "webhook notified");
            } else {
                warn!(%transaction_id, status, "the webhook responded with an error");
            }
            Notification::Answered { status }
        }
        Err(failure) => {
            // The URL may contain a secret, so it is not logged.
            let reason = causes(&failure.without_url());
            warn!(%transaction_id, %reason, "can't notify the webhook");
            Notification::Failed { reason }
        }
    }
}
