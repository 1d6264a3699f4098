//! What goes wrong.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use fastrand::Rng;
use tender_sandbox::{Controls, Endpoint, Fault, Outcome};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::buyer::Checkout;
use crate::instance::Instance;

/// As many calls to an endpoint know their fate in advance.
const DRAWN: usize = 40;

/// Gives every call to the service a fate of its own, until it is aborted.
pub(crate) fn spoil(controls: Controls, mut random: Rng) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            let drawn = controls.state().faults;
            for endpoint in [Endpoint::Create, Endpoint::List, Endpoint::Cancel] {
                let own = drawn
                    .iter()
                    .filter(|fault| fault.endpoint == Some(endpoint));
                for _ in own.count()..DRAWN {
                    controls.inject(fault(endpoint, &mut random).on(endpoint).once());
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
    })
}

/// One call in five meets one that matters. The proxy waits a second for an answer, and a second more
/// for what may come of a call without one: no call is slower to arrive than that.
fn fault(endpoint: Endpoint, random: &mut Rng) -> Fault {
    let short = random.u64(1..80);
    match random.u32(0..100) {
        0..6 => Fault::new(Outcome::DropAnswer).delay_ms(short),
        6..9 => Fault::new(Outcome::DropRequest).delay_ms(short),
        9..12 => Fault::respond(StatusCode::BAD_GATEWAY, "{}"),
        12..13 => Fault::new(Outcome::Html),
        13..14 => Fault::new(Outcome::Truncate),
        // The answer comes too late, or the request does.
        14..16 => Fault::new(Outcome::Handle).hold_ms(random.u64(900..1500)),
        16..18 => Fault::new(Outcome::Handle).delay_ms(random.u64(900..1400)),
        18..20 if endpoint != Endpoint::List => Fault::respond(StatusCode::TOO_MANY_REQUESTS, "{}"),
        20..50 => Fault::new(Outcome::Handle).delay_ms(short).hold_ms(short),
        _ => Fault::new(Outcome::Handle),
    }
}

/// What befell the instances.
#[derive(Clone, Copy, Default)]
pub(crate) struct Misfortunes {
    killed: usize,
    frozen: usize,
    killed_while_frozen: usize,
}

impl fmt::Display for Misfortunes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "instances: {} killed, {} frozen, {} killed while frozen",
            self.killed, self.frozen, self.killed_while_frozen
        )
    }
}

/// Kills and freezes instances, until it ends.
pub(crate) struct Chaos {
    end: watch::Sender<bool>,
    instances: Vec<JoinHandle<(Instance, Misfortunes)>>,
}

impl Chaos {
    /// Something befalls each instance after so many payments, again and again. By payments and not by the
    /// clock: on a machine that has much else to do nobody would ever come to an end.
    pub(crate) fn begin(
        instances: Vec<Instance>,
        checkout: &Arc<Checkout>,
        payments: Range<usize>,
        mut random: Rng,
    ) -> Self {
        let (end, ended) = watch::channel(false);
        let befall = |instance| {
            let fate = Fate {
                checkout: Arc::clone(checkout),
                payments: payments.clone(),
                random: random.fork(),
                ended: ended.clone(),
            };
            tokio::spawn(fate.befall(instance))
        };
        let instances = instances.into_iter().map(befall).collect();
        Self { end, instances }
    }

    /// Ends it: all instances are up again.
    pub(crate) async fn end(self) -> (Vec<Instance>, Misfortunes) {
        self.end.send_replace(true);
        let mut sum = Misfortunes::default();
        let mut instances = Vec::new();
        for befalling in self.instances {
            let (instance, misfortunes) = befalling.await.unwrap();
            instances.push(instance);
            sum.killed += misfortunes.killed;
            sum.frozen += misfortunes.frozen;
            sum.killed_while_frozen += misfortunes.killed_while_frozen;
        }
        (instances, sum)
    }
}

/// What befalls one instance, and when.
struct Fate {
    checkout: Arc<Checkout>,
    payments: Range<usize>,
    random: Rng,
    ended: watch::Receiver<bool>,
}

impl Fate {
    async fn befall(mut self, mut instance: Instance) -> (Instance, Misfortunes) {
        let mut misfortunes = Misfortunes::default();
        while self.is_next_due().await {
            match self.random.u32(0..10) {
                0..7 => {
                    instance.kill();
                    misfortunes.killed += 1;
                    self.pause(0..400).await;
                    instance.start_again();
                }
                // Longer than a lease, or not.
                fate => {
                    instance.freeze();
                    self.pause(200..4500).await;
                    if fate == 9 {
                        instance.kill();
                        misfortunes.killed_while_frozen += 1;
                        instance.start_again();
                    } else {
                        instance.thaw();
                        misfortunes.frozen += 1;
                    }
                }
            }
        }
        (instance, misfortunes)
    }

    /// Waits until enough was paid; `false` where it is over.
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
