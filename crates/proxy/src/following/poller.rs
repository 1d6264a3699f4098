//! The one who reads the service's list: a task in every instance, of which one at a time does it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use tender_protocol::{PAGE_SIZE, Payment, ProblemCode, Record};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::chance::up_to;
use super::event::Event;
use super::hub::Hub;
use super::merchants::Interest;
use super::pages::Pages;
use super::round::{End, Round, WriteError};
use super::store::{Store, text};
use crate::database::{self, Millis};
use crate::metrics::Metrics;
use crate::service::{Service, ServiceError};

/// How often an instance looks for what another one wrote.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The shortest time from the beginning of a round to that of the next, whoever asks for it.
const LEAST_PAUSE: Duration = Duration::from_secs(1);

/// The longest time without a round while the service fails.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// How much longer a round is held than a call takes: enough to write down what came of it.
const MARGIN: Duration = Duration::from_secs(2);

/// How long the list is read for a payment after it was last told that someone watches it; told is
/// it in half of that time.
const WANTED: Duration = Duration::from_mins(3);

/// Of how many payments that is told at once.
const TOLD_AT_ONCE: usize = 1000;

const PRUNE_EVERY: Duration = Duration::from_mins(1);

pub(super) struct Poller {
    pub(super) service: Arc<Service>,
    pub(super) store: Store,
    pub(super) hub: Arc<Hub>,
    /// Someone asked for a round.
    pub(super) asked: Arc<Notify>,
    pub(super) stop: CancellationToken,
    /// From the end of a round to the next.
    pub(super) interval: Duration,
    /// How many pages a round may read.
    pub(super) pages: u32,
    /// The most time that a page takes.
    pub(super) call: Duration,
    /// The last event that was told to the watchers.
    pub(super) told: i64,
    /// When the database was told that merchants watch.
    pub(super) interest: Interest,
    pub(super) metrics: Metrics,
}

/// Why a round came to nothing.
#[derive(Debug, thiserror::Error)]
enum RoundError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<database::Error> for RoundError {
    fn from(error: database::Error) -> Self {
        Self::Write(error.into())
    }
}

/// The shortest time from the beginning of a round to that of one that someone asked for.
pub(super) fn least_pause(interval: Duration) -> Duration {
    LEAST_PAUSE.min(interval)
}

impl Poller {
    pub(super) async fn run(mut self) {
        let mut pruned = Instant::now();
        loop {
            let pause = match self.turn().await {
                Ok(pause) => pause,
                Err(error) => {
                    tracing::warn!(%error, "payments can't be followed for a moment");
                    LOOK_EVERY + up_to(LOOK_EVERY)
                }
            };
            if pruned.elapsed() > PRUNE_EVERY {
                pruned = Instant::now();
                if let Err(error) = self.store.prune().await {
                    tracing::warn!(%error, "can't prune what is known of payments");
                }
            }
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = self.asked.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Says what is watched, reads the list where it is time, and tells the watchers. How long there
    /// is nothing to do.
    async fn turn(&mut self) -> database::Result<Duration> {
        self.say_what_is_watched().await?;
        self.interest.say(&self.hub, &self.store, WANTED).await?;
        let clock = self.store.clock().await?;
        // In this order: a payment comes together with the time of the first look at it.
        let wanted = self.store.wanted(clock.now).await?;
        let polling = self.store.polling().await?;
        let merchants = polling.merchants_told_until(clock);
        let is_wanted = polling.asked || wanted > 0 || merchants.is_some();
        if polling.due_in(clock).is_zero() && is_wanted {
            let lease = self.call + MARGIN;
            if let Some(round) = self.store.take(&polling, clock, lease).await? {
                self.round(round, wanted, merchants).await;
            }
        }
        let polling = self.store.polling().await?;
        self.tell(polling.pulse().last_event).await?;
        self.hub.merchants.tell(polling.pulse());
        let due = polling.due_in(self.store.clock().await?);
        // Another instance may write at any time.
        Ok(due.clamp(Duration::from_millis(5), self.look_every()))
    }

    fn look_every(&self) -> Duration {
        LOOK_EVERY.min(self.interval)
    }

    async fn say_what_is_watched(&self) -> database::Result<()> {
        let ids = self.hub.untold(TOLD_AT_ONCE, WANTED / 2);
        if ids.is_empty() {
            return Ok(());
        }
        let until = self.store.clock().await?.after(WANTED);
        let said = self.store.want(&ids, until).await;
        if said.is_err() {
            self.hub.still_untold(&ids);
        }
        said
    }

    /// Tells the watchers of this instance what any instance wrote up to the event `last`.
    async fn tell(&mut self, last: i64) -> database::Result<()> {
        while self.told < last {
            if self.hub.is_empty() {
                // Whoever comes now begins with what the database has.
                self.told = last;
                break;
            }
            let changes = self.store.changes(self.told).await?;
            let Some((_, newest)) = changes.last() else {
                self.told = last;
                break;
            };
            self.told = newest.id;
            for (transaction_id, change) in &changes {
                self.hub.tell(transaction_id, || Event::from(change));
            }
        }
        Ok(())
    }

    async fn round(&self, mut round: Round, wanted: u64, merchants: Option<Millis>) {
        let mut pages = Pages::new(self.pages, wanted, round.deep_page);
        let read = tokio::select! {
            read = self.read(&mut round, &mut pages, merchants) => read,
            // Another instance goes on at once.
            () = self.stop.cancelled() => Ok(()),
        };
        self.metrics.round(match &read {
            Ok(()) => "ok",
            Err(RoundError::Service(error)) => error.code().as_str(),
            Err(RoundError::Write(_)) => ProblemCode::Internal.as_str(),
        });
        let end = match read {
            Ok(()) => End {
                failures: 0,
                deep_page: pages.next_deep(),
                pause: self.interval,
                least_pause: least_pause(self.interval),
            },
            Err(RoundError::Service(error)) => {
                let failures = round.failures.saturating_add(1);
                let pause = backoff(self.interval, failures);
                tracing::warn!(%error, failures, ?pause, "the list of payments can't be read");
                End {
                    failures,
                    deep_page: round.deep_page,
                    pause: pause + up_to(pause / 2),
                    least_pause: pause,
                }
            }
            Err(RoundError::Write(error)) => {
                tracing::warn!(%error, "what changed was not written");
                return;
            }
        };
        if let Err(error) = self.store.end(&round, &end).await {
            tracing::warn!(%error, "the end of a round was not written");
        }
    }

    /// Reads pages. For merchants, who were told of new payments until then, what is new on the first
    /// is written down.
    async fn read(
        &self,
        round: &mut Round,
        pages: &mut Pages,
        merchants: Option<Millis>,
    ) -> Result<(), RoundError> {
        let mut seen = HashSet::new();
        while let Some(page) = pages.next() {
            self.store.hold(round).await?;
            let records = match self.service.elements(page).await {
                // What the service says to a page past the end is not documented.
                Err(ServiceError::Refused(_)) if page > 0 => {
                    pages.end();
                    break;
                }
                answer => answer?,
            };
            if records.len() < PAGE_SIZE {
                pages.end();
            }
            // What stands on two pages has moved on meanwhile: the first one is newer.
            let readable = records.iter().filter_map(|json| readable(json));
            let new: Vec<_> = readable.filter(|(id, _)| seen.insert(id.clone())).collect();
            let unknown = self.compare(round, pages, new).await?;
            if let (0, Some(told_until)) = (page, merchants) {
                self.store.add_seen(unknown).await?;
                self.store.announce(round, told_until).await?;
            }
        }
        Ok(())
    }

    /// Writes what changed of the payments on a page. The others, which are not known.
    async fn compare(
        &self,
        round: &Round,
        pages: &mut Pages,
        on_page: Vec<(String, Record)>,
    ) -> Result<Vec<(String, String)>, RoundError> {
        let now = self.store.clock().await?.now;
        let ids: Vec<_> = on_page.iter().map(|(id, _)| id.as_str()).collect();
        let known = self.store.known(&ids, now).await?;
        let wanted = known.values().filter(|known| known.is_wanted).count();
        pages.found(u64::try_from(wanted).unwrap_or(u64::MAX));
        let (mut changes, mut unknown) = (Vec::new(), Vec::new());
        for (id, record) in on_page {
            let record = text(&record)?;
            match known.get(&id) {
                Some(known) if known.record == record => {}
                Some(_) => {
                    tracing::info!(transaction_id = id, "changed");
                    changes.push((id, record));
                }
                None => unknown.push((id, record)),
            }
        }
        self.store.change(round, &changes).await?;
        Ok(unknown)
    }
}

/// A payment record and its transactionId, where it is as documented.
fn readable(json: &RawValue) -> Option<(String, Record)> {
    let record = Record::parse(json.get(), "a payment record");
    let payment = record.and_then(|record| Ok((Payment::try_from(&record)?, record)));
    match payment {
        Ok((payment, record)) => Some((payment.transaction_id, record)),
        Err(error) => {
            tracing::warn!(%error, "a record of the list is left out");
            None
        }
    }
}

/// The pause after so many failures in a row.
fn backoff(interval: Duration, failures: u32) -> Duration {
    let doubled = interval.saturating_mul(2_u32.saturating_pow(failures));
    doubled.min(LONGEST_PAUSE.max(interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_with_each_failure_up_to_a_bound() {
        let pauses = |interval: u64| {
            [1, 2, 3, 6, u32::MAX]
                .map(|failures| backoff(Duration::from_secs(interval), failures).as_secs())
        };
        assert_eq!(pauses(5), [10, 20, 40, 300, 300]);
        assert_eq!(pauses(600), [600; 5]);
    }

    #[test]
    fn a_record_that_is_not_as_documented_is_left_out() {
        let json = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        for text in ["null", "[]", "{}", r#"{"transactionId":"a"}"#] {
            assert!(readable(&json(text)).is_none(), "{text}");
        }
    }
}
