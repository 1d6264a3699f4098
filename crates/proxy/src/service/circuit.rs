//! A circuit breaker for one kind of call to the service.
//!
//! A call may fail because of what is in it, so failed calls alone never block the calls of others.
//! After several failures in a row, the proxy sends a probe of its own, which has nothing of a
//! buyer in it. If the probe fails too, the circuit opens: calls fail at once, but for one per
//! period. It closes as soon as a later probe or any call succeeds.

use std::time::Duration;

use parking_lot::Mutex;
use prometheus_client::metrics::gauge::Gauge;
use tokio::time::Instant;

/// The shortest time to wait: a probe may take longer than the period.
const MIN_WAIT: Duration = Duration::from_secs(1);

pub(super) struct Circuit {
    /// Failures in a row before a probe is sent; 0 disables the circuit.
    threshold: u32,
    /// The time between two probes while it is open.
    period: Duration,
    state: Mutex<State>,
    /// 1 while it is open.
    gauge: Gauge,
}

#[derive(Default)]
struct State {
    /// Failures since the last success.
    failures: u32,
    open: Option<Open>,
    /// Whether probes are being sent.
    is_probing: bool,
}

struct Open {
    until: Instant,
    /// Whether the one call of this period was let through.
    is_used: bool,
}

impl Circuit {
    pub(super) fn new(threshold: u32, period: Duration, gauge: Gauge) -> Self {
        gauge.set(0);
        Self {
            threshold,
            period,
            state: Mutex::default(),
            gauge,
        }
    }

    /// Whether a call may be made; otherwise how long to wait.
    pub(super) fn admit(&self) -> Result<(), Duration> {
        match &mut self.state.lock().open {
            Some(open) if open.is_used => {
                let wait = open.until.saturating_duration_since(Instant::now());
                Err(wait.max(MIN_WAIT))
            }
            Some(open) => {
                open.is_used = true;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Notes the result of a call. Returns whether the caller has to start sending probes.
    pub(super) fn report(&self, is_up: bool) -> bool {
        let mut state = self.state.lock();
        if is_up {
            self.close(&mut state);
            return false;
        }
        state.failures = state.failures.saturating_add(1);
        let is_suspect = self.threshold > 0 && state.failures >= self.threshold;
        is_suspect && !std::mem::replace(&mut state.is_probing, true)
    }

    /// Notes the result of a probe. Returns the time until the next one; `None` if no more are
    /// needed.
    pub(super) fn probed(&self, is_up: bool) -> Option<Duration> {
        let mut state = self.state.lock();
        // A call may have succeeded since the probe was sent.
        let is_suspect = state.open.is_some() || state.failures >= self.threshold;
        if is_up || !is_suspect {
            self.close(&mut state);
            state.is_probing = false;
            return None;
        }
        if state.open.is_none() {
            tracing::warn!(period = ?self.period, "the service fails; the circuit is open");
        }
        self.gauge.set(1);
        state.open = Some(Open {
            until: Instant::now() + self.period,
            is_used: false,
        });
        Some(self.period)
    }

    fn close(&self, state: &mut State) {
        if state.open.take().is_some() {
            tracing::info!("the service works again; the circuit is closed");
        }
        state.failures = 0;
        self.gauge.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_secs(10);

    fn circuit(threshold: u32) -> Circuit {
        Circuit::new(threshold, PERIOD, Gauge::default())
    }

    /// A circuit of threshold 3 whose probe has failed.
    fn open() -> Circuit {
        let circuit = circuit(3);
        let probes = [(); 3].map(|()| circuit.report(false));
        assert_eq!(probes, [false, false, true]);
        assert_eq!(circuit.probed(false), Some(PERIOD));
        circuit
    }

    #[tokio::test(start_paused = true)]
    async fn failed_calls_alone_do_not_open_it() {
        let circuit = circuit(3);
        for _ in 0..100 {
            assert!(circuit.admit().is_ok());
            if circuit.report(false) {
                assert!(circuit.admit().is_ok());
                assert_eq!(circuit.probed(true), None);
            }
        }
        assert_eq!(circuit.gauge.get(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_success_restarts_the_count() {
        let circuit = circuit(3);
        for is_up in [false, false, true, false, false] {
            assert!(!circuit.report(is_up));
        }
        assert!(circuit.report(false));
        // Probes are being sent already.
        assert!(!circuit.report(false));
    }

    #[tokio::test(start_paused = true)]
    async fn while_open_it_lets_one_call_through_per_period() {
        let circuit = open();
        assert_eq!(circuit.gauge.get(), 1);
        for _ in 0..3 {
            assert!(circuit.admit().is_ok());
            assert!(!circuit.report(false));
            assert_eq!(circuit.admit(), Err(PERIOD));
            tokio::time::advance(PERIOD / 2).await;
            assert_eq!(circuit.admit(), Err(PERIOD / 2));
            assert_eq!(circuit.probed(false), Some(PERIOD));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn while_a_probe_takes_long_it_asks_for_a_pause() {
        let circuit = open();
        assert!(circuit.admit().is_ok());
        tokio::time::advance(PERIOD * 2).await;
        assert_eq!(circuit.admit(), Err(MIN_WAIT));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_or_a_call_closes_it() {
        let circuit = open();
        assert_eq!(circuit.probed(true), None);
        assert_eq!((circuit.admit(), circuit.gauge.get()), (Ok(()), 0));

        let circuit = open();
        assert!(circuit.admit().is_ok());
        assert!(!circuit.report(true));
        assert_eq!((circuit.admit(), circuit.gauge.get()), (Ok(()), 0));
        // The next probe is the last one, whatever its result.
        assert_eq!(circuit.probed(false), None);
        assert!(circuit.admit().is_ok());
    }

    #[test]
    fn it_can_be_disabled() {
        let circuit = circuit(0);
        for _ in 0..100 {
            assert!(!circuit.report(false));
        }
    }
}
