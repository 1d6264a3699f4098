//! Random faults of the service and of the instances.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use fastrand::Rng;
use tender_sandbox::{Controls, Endpoint, Fault, Outcome};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::checkout::Checkout;
use crate::instance::Instance;

/// How many faults are prepared per endpoint.
const PREPARED: usize = 40;

/// Adds a random fault to every call, until it is aborted.
pub(crate) fn inject_faults(controls: Controls, mut random: Rng) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            let drawn = controls.state().faults;
            for endpoint in [Endpoint::Create, Endpoint::List, Endpoint::Cancel] {
                let own = drawn
                    .iter()
                    .filter(|fault| fault.endpoint == Some(endpoint));
                for _ in own.count()..PREPARED {
                    controls.inject(fault(endpoint, &mut random).on(endpoint).once());
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
    })
}

/// One call in five has a serious fault. The proxy's timeout is a second, and its settle time
/// another second, so no call arrives later than that.
fn fault(endpoint: Endpoint, random: &mut Rng) -> Fault {
    let short = random.u64(1..80);
    match random.u32(0..100) {
        0..6 => Fault::new(Outcome::DropAnswer).delay_ms(short),
        6..9 => Fault::new(Outcome::DropRequest).delay_ms(short),
        9..12 => Fault::respond(StatusCode::BAD_GATEWAY, "{}"),
        12..13 => Fault::new(Outcome::Html),
        13..14 => Fault::new(Outcome::Truncate),
        // The response is late, or the request is.
        14..16 => Fault::new(Outcome::Handle).hold_ms(random.u64(900..1500)),
        16..18 => Fault::new(Outcome::Handle).delay_ms(random.u64(900..1400)),
        18..20 if endpoint != Endpoint::List => Fault::respond(StatusCode::TOO_MANY_REQUESTS, "{}"),
        20..50 => Fault::new(Outcome::Handle).delay_ms(short).hold_ms(short),
        _ => Fault::new(Outcome::Handle),
    }
}

/// Kills and suspends instances until it ends.
pub(crate) struct Chaos {
    end: watch::Sender<bool>,
    instances: Vec<JoinHandle<Instance>>,
}

impl Chaos {
    /// Disrupts each instance repeatedly, after a number of payments. Counting payments instead of
    /// time lets buyers finish on a busy machine too.
    pub(crate) fn begin(
        instances: Vec<Instance>,
        checkout: &Arc<Checkout>,
        payments: Range<usize>,
        mut random: Rng,
    ) -> Self {
        let (end, ended) = watch::channel(false);
        let disrupt = |instance| {
            let disruptor = Disruptor {
                checkout: Arc::clone(checkout),
                payments: payments.clone(),
                random: random.fork(),
                ended: ended.clone(),
            };
            tokio::spawn(disruptor.disrupt(instance))
        };
        let instances = instances.into_iter().map(disrupt).collect();
        Self { end, instances }
    }

    /// Stops the disruptions; all instances are running again.
    pub(crate) async fn end(self) -> Vec<Instance> {
        self.end.send_replace(true);
        let mut instances = Vec::new();
        for task in self.instances {
            instances.push(task.await.unwrap());
        }
        instances
    }
}

/// Disrupts one instance.
struct Disruptor {
    checkout: Arc<Checkout>,
    payments: Range<usize>,
    random: Rng,
    ended: watch::Receiver<bool>,
}

impl Disruptor {
    async fn disrupt(mut self, mut instance: Instance) -> Instance {
        while self.is_next_due().await {
            let disruption = match self.random.u32(0..10) {
                0..7 => {
                    instance.kill();
                    self.pause(0..400).await;
                    instance.start_again();
                    "killed"
                }
                // Shorter or longer than a lease.
                other => {
                    instance.freeze();
                    self.pause(200..4500).await;
                    if other == 9 {
                        instance.kill();
                        instance.start_again();
                        "killed while frozen"
                    } else {
                        instance.thaw();
                        "frozen"
                    }
                }
            };
            self.checkout.disruptions.add(disruption);
        }
        instance
    }

    /// Waits until enough was paid; `false` at the end.
    async fn is_next_due(&mut self) -> bool {
        let due = self.checkout.answered() + self.random.usize(self.payments.clone());
        while self.checkout.answered() < due {
            if *self.ended.borrow() {
                return false;
            }
            self.pause(5..20).await;
        }
        true
    }

    async fn pause(&mut self, milliseconds: Range<u64>) {
        sleep(Duration::from_millis(self.random.u64(milliseconds))).await;
    }
}
