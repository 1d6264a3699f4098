//! Notifications to the shop's backend: sends the events of the [outbox](crate::store::outbox) to
//! `notify_url`, as Standard Webhooks (<https://www.standardwebhooks.com>).
//!
//! An event is sent at least once, in the order of its payment's events, and with the same
//! `webhook-id` in each try. Whatever is answered is stored for the merchant.
//!
//! | file | contents |
//! |---|---|
//! | `deliverer` | the background task, which sends a limited number of events at the same time |
//! | `message` | the body and the signatures |
//! | `schedule` | what an answer means, and when an event is sent again |

mod deliverer;
mod message;
mod schedule;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use reqwest::Client;
use reqwest::redirect::Policy;

use self::deliverer::Deliverer;
use crate::background::Background;
use crate::config::{Config, Secret};
use crate::metrics::Metrics;
use crate::statuses::Statuses;
use crate::store::{Store, database};

/// The secrets that sign notifications, which a reload replaces.
type Secrets = Arc<ArcSwap<Vec<Secret>>>;

/// Sends events.
pub(crate) struct Deliveries {
    /// The events, and what became of them.
    pub(crate) store: Store,
    secrets: Secrets,
    metrics: Metrics,
}

impl Deliveries {
    /// Starts to send events, if there is a receiver.
    ///
    /// # Errors
    /// TLS can't be set up.
    pub(crate) fn start(
        config: &Config,
        statuses: Arc<Statuses>,
        store: Store,
        metrics: &Metrics,
        background: &Background,
    ) -> Result<Self, reqwest::Error> {
        let secrets = config.notifications.secrets.clone();
        let deliveries = Self {
            store,
            secrets: Arc::new(ArcSwap::from_pointee(secrets)),
            metrics: metrics.clone(),
        };
        if let Some(url) = &config.notifications.url {
            let deliverer = Deliverer {
                client: Client::builder()
                    .redirect(Policy::none())
                    .no_proxy()
                    .timeout(config.notifications.timeout)
                    .user_agent(concat!("tender-proxy/", env!("CARGO_PKG_VERSION")))
                    .build()?,
                url: url.clone(),
                timeout: config.notifications.timeout,
                store: deliveries.store.clone(),
                statuses,
                secrets: Arc::clone(&deliveries.secrets),
                metrics: metrics.clone(),
            };
            let sending = Arc::new(deliverer).run(background.stop.clone());
            background.tasks.spawn(sending);
        }
        Ok(deliveries)
    }

    /// Signs later notifications with these secrets.
    pub(crate) fn replace_secrets(&self, secrets: Vec<Secret>) {
        self.secrets.store(Arc::new(secrets));
    }

    /// Updates the metrics of the outbox.
    pub(crate) async fn count(&self) -> database::Result<()> {
        let (waiting, given_up, oldest) = self.store.count_events().await?;
        let oldest = Duration::from_millis(oldest.unwrap_or_default().unsigned_abs());
        self.metrics.unsent(waiting, given_up, oldest);
        Ok(())
    }
}
