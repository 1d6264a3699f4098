//! A circuit breaker: after several consecutive failures it blocks calls to the service for a
//! while, then lets a single call through as a probe.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

pub(crate) struct Breaker {
    /// Consecutive failures before it opens; 0 disables it.
    failures: u32,
    /// How long it stays open.
    open_for: Duration,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// A probe is in progress; other calls are blocked.
    Probing {
        until: Instant,
    },
}

/// Permission for one call.
#[must_use]
pub(crate) struct Permit<'a> {
    breaker: &'a Breaker,
    reported: bool,
}

impl Breaker {
    pub(crate) fn new(failures: u32, open_for: Duration) -> Self {
        Self {
            failures,
            open_for,
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }

    /// Returns a permit, or how long calls are blocked.
    pub(crate) fn acquire(&self) -> Result<Permit<'_>, Duration> {
        let now = Instant::now();
        let mut state = self.state();
        match *state {
            State::Open { until } | State::Probing { until } if until > now => {
                return Err(until - now);
            }
            State::Closed { .. } => {}
            // The open time is over, or an earlier probe took too long.
            State::Open { .. } | State::Probing { .. } => {
                *state = State::Probing {
                    until: now + self.open_for,
                };
            }
        }
        Ok(Permit {
            breaker: self,
            reported: false,
        })
    }

    /// Fails while calls are blocked.
    pub(crate) fn is_closed(&self) -> Result<(), Duration> {
        match *self.state() {
            State::Closed { .. } => Ok(()),
            State::Open { until } | State::Probing { until } => {
                Err(until.saturating_duration_since(Instant::now()))
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> State {
        tracing::warn!(open_for = ?self.open_for, "the service keeps failing; the circuit breaker is open");
        State::Open {
            until: Instant::now() + self.open_for,
        }
    }
}

impl Permit<'_> {
    /// Reports the result of the call.
    pub(crate) fn report(mut self, is_up: bool) {
        self.reported = true;
        let breaker = self.breaker;
        let mut state = breaker.state();
        *state = match *state {
            _ if is_up => State::Closed { failures: 0 },
            State::Closed { failures } => {
                let failures = failures.saturating_add(1);
                if failures == breaker.failures {
                    breaker.open()
                } else {
                    State::Closed { failures }
                }
            }
            // A call that began before the breaker opened does not extend the open time.
            open @ State::Open { .. } => open,
            State::Probing { .. } => breaker.open(),
        };
    }
}

/// If a probe is dropped without a result, the next call becomes the probe.
impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.breaker.state();
        if let (false, State::Probing { .. }) = (self.reported, *state) {
            *state = State::Open {
                until: Instant::now(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN_FOR: Duration = Duration::from_secs(10);

    fn failing(times: u32) -> Breaker {
        let breaker = Breaker::new(3, OPEN_FOR);
        for _ in 0..times {
            breaker.acquire().ok().unwrap().report(false);
        }
        breaker
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row() {
        let breaker = failing(2);
        breaker.acquire().ok().unwrap().report(true);
        for _ in 0..2 {
            breaker.acquire().ok().unwrap().report(false);
        }
        assert!(breaker.acquire().is_ok());
        assert_eq!(failing(3).acquire().err(), Some(OPEN_FOR));
    }

    #[tokio::test(start_paused = true)]
    async fn a_single_request_probes_afterwards() {
        let breaker = failing(3);
        tokio::time::advance(OPEN_FOR).await;
        let probe = breaker.acquire().ok().unwrap();
        assert!(breaker.acquire().is_err());
        probe.report(true);
        assert!(breaker.acquire().is_ok());
        assert!(breaker.is_closed().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_failed_probe_opens_it_again() {
        let breaker = failing(3);
        tokio::time::advance(OPEN_FOR).await;
        breaker.acquire().ok().unwrap().report(false);
        assert_eq!(breaker.acquire().err(), Some(OPEN_FOR));
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_probe_allows_another() {
        let breaker = failing(3);
        tokio::time::advance(OPEN_FOR).await;
        drop(breaker.acquire().ok().unwrap());
        assert!(breaker.acquire().is_ok());
    }

    #[test]
    fn it_can_be_turned_off() {
        let breaker = Breaker::new(0, OPEN_FOR);
        for _ in 0..100 {
            breaker.acquire().ok().unwrap().report(false);
        }
    }
}
