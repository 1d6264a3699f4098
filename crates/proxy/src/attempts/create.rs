//! From a wish to pay to its one payment.

use std::sync::Arc;

use super::{Attempt, Origin, Payable, Payments, Stop};
use crate::error::Error;
use crate::ledger::{Begun, Created, Lease, Outcome, Stage};

impl Payments {
    pub(super) async fn create_once(&self, attempt: &Arc<Attempt>) -> Result<Payable, Error> {
        let arrived = self.ledger.clock().await?.now;
        let mut wait = self.wait();
        loop {
            let stopped = match self.ledger.begin(attempt, arrived).await? {
                Begun::Answered(created) => return Ok(Origin::Repeated.of(created)),
                Begun::Ended => return Err(Error::AttemptEnded),
                Begun::Busy(watched) => {
                    wait.a_moment(&watched.id).await?;
                    // Everyone who waited for a call gets what came of it.
                    match self.ledger.failure(&watched).await? {
                        Some(code) => return Err(Error::Shared(code)),
                        None => continue,
                    }
                }
                Begun::Mine(lease) => match self.ask(lease).await {
                    Ok(payable) => return Ok(payable),
                    Err(stop) => stop,
                },
                Begun::Occupied(lease) => match self.clear(lease).await {
                    // Now the order is free, or another request was quicker.
                    Ok(()) => continue,
                    Err(stop) => stop,
                },
            };
            match stopped {
                Stop::LeaseLost => tracing::warn!("another instance took the attempt over"),
                Stop::Failed(error) => return Err(error),
            }
        }
    }

    /// Asks the service for the payment of an attempt, and ends the lease.
    async fn ask(&self, mut lease: Lease) -> Result<Payable, Stop> {
        let error = match self.find_or_create(&mut lease).await {
            Ok(payable) => {
                let created = &payable.created;
                let outcome = Outcome::Stage(Stage::Answered(created.clone()));
                let settled = self.settle(&lease, outcome).await;
                if matches!(settled, Err(Stop::LeaseLost)) {
                    self.come_late(lease.entry.id, created.clone());
                }
                return settled.map(|()| payable);
            }
            Err(error) => error,
        };
        if let Stop::Failed(Error::Service(error)) = &error {
            let outcome = Outcome::Failed {
                code: error.code(),
                nothing_happened: error.nothing_happened(),
            };
            self.settle(&lease, outcome).await?;
        }
        Err(error)
    }

    async fn find_or_create(&self, lease: &mut Lease) -> Result<Payable, Stop> {
        if lease.in_doubt
            && let Some(created) = self.look_up(lease).await?
        {
            tracing::info!(created.transaction_id, "found in the list");
            return Ok(Origin::Found.of(created));
        }
        self.ledger.before_asking(lease).await?;
        let terms = self.ledger.terms();
        let (ask_by, over_by) = (lease.ask_by(terms), lease.over_by(terms));
        let request = &lease.entry.request;
        let record = self.service.create(request, ask_by, over_by).await;
        let created = record.and_then(|record| Ok(Created::try_from(record)?));
        let created = created.map_err(Error::from)?;
        tracing::info!(created.transaction_id, "created");
        Ok(Origin::Created.of(created))
    }

    /// Makes room for another payment of the order: what was open is cancelled.
    async fn clear(&self, mut lease: Lease) -> Result<(), Stop> {
        let open = match lease.entry.stage.clone() {
            Stage::Answered(created) | Stage::Cancelling(created) => Some(created),
            _ => match self.look_up(&mut lease).await {
                Ok(found) => found,
                Err(stop) => {
                    self.give_back(&lease, &stop).await;
                    return Err(stop);
                }
            },
        };
        let Some(created) = open else {
            return self
                .settle(&lease, Outcome::Stage(Stage::Ended(None)))
                .await;
        };
        let transaction_id = created.transaction_id.clone();
        match self.cancel_leased(lease, created).await {
            Ok(_) => {
                tracing::info!(transaction_id, "cancelled, to make room for another");
                Ok(())
            }
            Err(Stop::Failed(Error::Service(error))) => {
                Err(Error::EarlierPaymentOpen(error).into())
            }
            Err(stop) => Err(stop),
        }
    }

    /// Ends a lease under which nothing was found out, so that others need not wait for its end.
    async fn give_back(&self, lease: &Lease, stop: &Stop) {
        if let Stop::Failed(Error::Service(error)) = stop {
            let outcome = Outcome::Failed {
                code: error.code(),
                nothing_happened: false,
            };
            // Where that fails too, the lease ends by itself.
            let _ = self.settle(lease, outcome).await;
        }
    }
}
