//! The poller: a background task in every instance. Only one instance at a time reads the service's
//! list.

use std::sync::Arc;
use std::time::Duration;

use tender_ledger::Mapping;
use tender_protocol::ProblemCode;

use super::Tracking;
use super::hub::Scope;
use super::pages::Pages;
use crate::clock::{Clock, jitter, millis};
use crate::service::ServiceError;
use crate::shared::Shared;
use crate::store::database::{self, Commits};
use crate::store::payments::{CycleEnd, Interest, PollCycle, PollState, StoredEvent, is_news};

/// How often an instance checks for changes that another instance has stored.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The longest time between two checks, if nothing changes.
const IDLE: Duration = Duration::from_mins(1);

/// The shortest time between the starts of two cycles, even if one is requested.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// The longest time between two cycles while the service fails.
const MAX_BACKOFF: Duration = Duration::from_mins(5);

/// How long a payment is polled for after the database was last informed that it is watched. The
/// interest is renewed after half of this time.
pub(super) const INTEREST_TTL: Duration = Duration::from_mins(3);

/// Pause between two batches of payments to which a new mapping is applied, during which waiting requests can use the
/// database.
const PAUSE: Duration = Duration::from_millis(100);

/// How many payments are renewed at once.
const INTEREST_BATCH: usize = 1000;

pub(super) struct Poller {
    pub(super) tracking: Tracking,
    /// As it was read last.
    pub(super) state: PollState,
    /// Up to where events were published.
    pub(super) published: i64,
    /// The mapping by which the stored payments have ended, and the last of them, unless it was applied to all.
    pub(super) applied: Option<(Arc<Mapping>, Option<String>)>,
    /// Whether the last cycle of this instance could not read the list to its end.
    pub(super) is_unread: bool,
    pub(super) commits: Commits,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum CycleError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// A page after the first one is refused. That may be the service's response past the end of the
    /// list, or not.
    #[error("the list can't be read to its end: {0}")]
    Unread(#[source] ServiceError),
    #[error(transparent)]
    Write(#[from] database::Error),
}

/// The shortest time between the starts of a cycle and a requested one.
pub(super) fn min_interval(interval: Duration) -> Duration {
    MIN_INTERVAL.min(interval)
}

impl Poller {
    pub(super) async fn run(mut self) {
        loop {
            self.commits.mark_seen();
            let due = match self.tick().await {
                Ok(due) => due,
                Err(error) => {
                    tracing::warn!(%error, "status tracking failed; trying again");
                    CHECK_INTERVAL + jitter(CHECK_INTERVAL)
                }
            };
            let pause = due.min(self.check_interval());
            let Self {
                tracking, commits, ..
            } = &mut self;
            // Until shortly before the check is due, only a change is a reason for one.
            let waiting = async {
                tokio::select! {
                    biased;
                    () = commits.next(due.saturating_sub(pause)) => {}
                    () = tracking.hub.interested() => {}
                }
                tokio::time::sleep(pause).await;
            };
            tokio::select! {
                biased;
                () = tracking.shared.stop.cancelled() => return,
                () = tracking.poll_requested.notified() => {}
                () = waiting => {}
            }
        }
    }

    /// Applies a new mapping, stores which payments are watched, polls the list if a cycle is due, and publishes changes.
    /// Returns the time until the next check is due.
    async fn tick(&mut self) -> database::Result<Duration> {
        let is_applied = self.apply_mapping().await?;
        self.save_interest().await?;
        let shared = Arc::clone(&self.tracking.shared);
        let store = &shared.store;
        let clock = store.clock().await?;
        let interest = self.interest(clock);
        // In this order, because a payment and the time of its first poll are stored together.
        let wanted = store.count_wanted(interest).await?;
        self.state = store.poll_state().await?;
        let has_merchants = self.state.has_merchants(clock);
        let is_wanted = self.state.requested || wanted > 0 || has_merchants;
        if is_wanted {
            let begun = store.begin_cycle(&self.state, clock, interest);
            if let Some(cycle) = begun.await? {
                self.run_cycle(cycle, wanted, has_merchants).await;
                self.state = store.poll_state().await?;
            }
        }
        self.publish(self.state.last_event).await?;
        if !is_applied {
            return Ok(PAUSE);
        }
        let clock = store.clock().await?;
        if is_wanted {
            let due = self.state.due_in(clock);
            return Ok(due.clamp(Duration::from_millis(5), IDLE));
        }
        let settings = &shared.config.notifications;
        let follow = settings.url.as_ref();
        let follow = follow.and_then(|_| self.state.follow_due_in(clock, settings.poll_interval));
        Ok(follow.unwrap_or(IDLE).clamp(self.check_interval(), IDLE))
    }

    /// Stores what the statuses of the next stored payments mean now: at start, and after a reload. The list may never show
    /// another change of them. Returns whether that is done for all.
    pub(super) async fn apply_mapping(&mut self) -> database::Result<bool> {
        let Shared {
            store, statuses, ..
        } = &*self.tracking.shared;
        let mapping = statuses.mapping();
        let last = match self.applied.take() {
            Some((applied, last)) if Arc::ptr_eq(&applied, &mapping) => last,
            _ => (!mapping.is_empty()).then(String::new),
        };
        let mut next = None;
        if let Some(last) = &last {
            let batch = store.payments_after(last).await?;
            next = batch.last().map(|payment| payment.transaction_id.clone());
            let meaning = |record: &str| statuses.meaning_of(record);
            let changed = batch.into_iter().filter(|StoredEvent { change, .. }| {
                is_news(meaning(&change.record), change.facts.fate)
            });
            let changed: Vec<_> = changed.map(|event| event.transaction_id).collect();
            if !changed.is_empty() {
                store.store_endings(&changed, meaning).await?;
            }
        }
        let is_applied = next.is_none();
        self.applied = Some((mapping, next));
        Ok(is_applied)
    }

    /// The payments that a cycle would look for now.
    fn interest(&self, clock: Clock) -> Interest {
        let settings = &self.tracking.shared.config.notifications;
        // Payments are followed until they are paid if the shop's backend is notified of them.
        let is_due =
            settings.url.is_some() && self.state.is_follow_due(clock, settings.poll_interval);
        Interest {
            now: clock.now,
            followed_since: is_due.then(|| clock.age().saturating_sub(millis(settings.follow))),
        }
    }

    /// From the end of a cycle to the next.
    fn interval(&self) -> Duration {
        self.tracking.shared.config.tracking.poll_interval
    }

    fn check_interval(&self) -> Duration {
        CHECK_INTERVAL.min(self.interval())
    }

    /// Informs the database of what is watched, if half of [`INTEREST_TTL`] has passed since the last time.
    async fn save_interest(&self) -> database::Result<()> {
        let hub = &self.tracking.hub;
        let scopes = hub.interest_due(INTEREST_BATCH, INTEREST_TTL / 2);
        self.extend_interest(&scopes).await?;
        hub.interest_saved(&scopes);
        Ok(())
    }

    async fn extend_interest(&self, scopes: &[Scope]) -> database::Result<()> {
        let store = &self.tracking.shared.store;
        if scopes.iter().any(Option::is_none) {
            store.extend_merchant_interest(INTEREST_TTL).await?;
        }
        let payments: Vec<_> = scopes.iter().flatten().cloned().collect();
        if payments.is_empty() {
            return Ok(());
        }
        let until = store.clock().await?.after(INTEREST_TTL);
        store.extend_interest(&payments, until).await
    }

    /// Publishes the events up to this one, whichever instance has stored them. A new stream starts with the
    /// state of the database.
    async fn publish(&mut self, last_event: i64) -> database::Result<()> {
        let hub = &self.tracking.hub;
        while hub.has_streams() && self.published < last_event {
            let store = &self.tracking.shared.store;
            let events = store.events(self.published, None).await?;
            let Some(newest) = events.last() else { break };
            self.published = newest.change.id;
            for event in events {
                hub.publish(event);
            }
        }
        self.published = self.published.max(last_event);
        Ok(())
    }

    async fn run_cycle(&mut self, mut cycle: PollCycle, wanted: u64, has_merchants: bool) {
        let budget = self.tracking.shared.config.tracking.poll_pages;
        let mut pages = Pages::new(budget, wanted, self.state.deep_page);
        let read = tokio::select! {
            biased;
            read = self.read(&mut cycle, &mut pages, has_merchants) => read,
            // Another instance can continue at once.
            () = self.tracking.shared.stop.cancelled() => Ok(()),
        };
        self.tracking.shared.metrics.poll_cycle(match &read {
            Ok(()) => "ok",
            Err(CycleError::Service(error) | CycleError::Unread(error)) => error.code().as_str(),
            Err(CycleError::Write(error)) if error.is_unavailable() => {
                ProblemCode::DatabaseUnavailable.as_str()
            }
            Err(CycleError::Write(_)) => ProblemCode::Internal.as_str(),
        });
        let was_unread = self.is_unread;
        self.is_unread = matches!(read, Err(CycleError::Unread(_)));
        // Only the first of several cycles that can't read the list to its end is logged.
        if let (Err(error @ CycleError::Unread(_)), false) = (&read, was_unread) {
            tracing::warn!(%error, "a followed payment may be on a page that can't be read");
        }
        let end = match read {
            Ok(()) | Err(CycleError::Unread(_)) => CycleEnd {
                failures: 0,
                deep_page: pages.next_deep(),
                pause: self.interval(),
                min_interval: min_interval(self.interval()),
            },
            Err(CycleError::Service(error)) => {
                let failures = self.state.failures.saturating_add(1);
                let pause = backoff(self.interval(), failures);
                tracing::warn!(%error, failures, ?pause, "the list of payments can't be read");
                CycleEnd {
                    failures,
                    deep_page: self.state.deep_page,
                    pause: pause + jitter(pause / 2),
                    min_interval: pause,
                }
            }
            Err(CycleError::Write(error)) => {
                tracing::warn!(%error, "can't store the changed payments");
                CycleEnd {
                    failures: self.state.failures,
                    deep_page: self.state.deep_page,
                    pause: self.interval(),
                    min_interval: self.interval(),
                }
            }
        };
        if let Err(error) = self.tracking.shared.store.end_cycle(&cycle, &end).await {
            tracing::warn!(%error, "can't store the end of the poll cycle");
        }
    }
}

fn backoff(interval: Duration, failures: u32) -> Duration {
    let doubled = interval.saturating_mul(2_u32.saturating_pow(failures));
    doubled.min(MAX_BACKOFF.max(interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_with_each_failure_up_to_a_limit() {
        let pauses = |interval: u64| {
            [1, 2, 3, 6, u32::MAX]
                .map(|failures| backoff(Duration::from_secs(interval), failures).as_secs())
        };
        assert_eq!(pauses(5), [10, 20, 40, 300, 300]);
        assert_eq!(pauses(600), [600; 5]);
    }
}
