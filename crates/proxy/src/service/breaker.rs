//! A circuit breaker: where the service failed several times in a row it is left alone for a while,
//! and then asked by one request at first.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

pub(crate) struct Breaker {
    /// How many failures in a row open it; 0 means never.
    failures: u32,
    /// How long it is open.
    rest: Duration,
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
    /// One request is on its way, and all others wait for what it finds.
    Probing {
        until: Instant,
    },
}

/// The leave to call the service once.
#[must_use]
pub(crate) struct Pass<'a> {
    breaker: &'a Breaker,
    settled: bool,
}

impl Breaker {
    pub(crate) fn new(failures: u32, rest: Duration) -> Self {
        Self {
            failures,
            rest,
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }

    /// The leave to call, or how long there is none.
    pub(crate) fn pass(&self) -> Result<Pass<'_>, Duration> {
        let now = Instant::now();
        let mut state = self.state();
        match *state {
            State::Open { until } | State::Probing { until } if until > now => {
                return Err(until - now);
            }
            State::Closed { .. } => {}
            // A probe that took longer than that is no longer waited for.
            State::Open { .. } | State::Probing { .. } => {
                *state = State::Probing {
                    until: now + self.rest,
                };
            }
        }
        Ok(Pass {
            breaker: self,
            settled: false,
        })
    }

    /// Whether calls are let through.
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
        tracing::warn!(rest = ?self.rest, "the service fails, and is left alone");
        State::Open {
            until: Instant::now() + self.rest,
        }
    }
}

impl Pass<'_> {
    /// The service is there, or it is not.
    pub(crate) fn settle(mut self, is_there: bool) {
        self.settled = true;
        let breaker = self.breaker;
        let mut state = breaker.state();
        *state = match *state {
            _ if is_there => State::Closed { failures: 0 },
            State::Closed { failures } => {
                let failures = failures.saturating_add(1);
                if failures == breaker.failures {
                    breaker.open()
                } else {
                    State::Closed { failures }
                }
            }
            // Calls from before it was opened do not keep it open for longer.
            open @ State::Open { .. } => open,
            State::Probing { .. } => breaker.open(),
        };
    }
}

/// A probe that was given up found nothing: the next request is one.
impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut state = self.breaker.state();
        if let (false, State::Probing { .. }) = (self.settled, *state) {
            *state = State::Open {
                until: Instant::now(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: Duration = Duration::from_secs(10);

    fn failing(times: u32) -> Breaker {
        let breaker = Breaker::new(3, REST);
        for _ in 0..times {
            breaker.pass().ok().unwrap().settle(false);
        }
        breaker
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row() {
        let breaker = failing(2);
        breaker.pass().ok().unwrap().settle(true);
        for _ in 0..2 {
            breaker.pass().ok().unwrap().settle(false);
        }
        assert!(breaker.pass().is_ok());
        assert_eq!(failing(3).pass().err(), Some(REST));
    }

    #[tokio::test(start_paused = true)]
    async fn then_one_request_probes() {
        let breaker = failing(3);
        tokio::time::advance(REST).await;
        let probe = breaker.pass().ok().unwrap();
        assert!(breaker.pass().is_err());
        probe.settle(true);
        assert!(breaker.pass().is_ok());
        assert!(breaker.is_closed().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_fails_opens_it_anew() {
        let breaker = failing(3);
        tokio::time::advance(REST).await;
        breaker.pass().ok().unwrap().settle(false);
        assert_eq!(breaker.pass().err(), Some(REST));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_is_given_up_makes_room_for_another() {
        let breaker = failing(3);
        tokio::time::advance(REST).await;
        drop(breaker.pass().ok().unwrap());
        assert!(breaker.pass().is_ok());
    }

    #[test]
    fn it_can_be_turned_off() {
        let breaker = Breaker::new(0, REST);
        for _ in 0..100 {
            breaker.pass().ok().unwrap().settle(false);
        }
    }
}
