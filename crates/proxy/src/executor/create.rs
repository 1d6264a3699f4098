//! Requests to create a payment.
//!
//! A repeated request gets the result of its attempt, and concurrent repeats wait for the first. An attempt is identified by
//! its `Idempotency-Key`, by its signed order, or by both. A request with neither is always a new attempt.

use std::sync::Arc;

use tender_ledger::{Answer, Origin, Refusal};
use tender_protocol::ProblemCode;

use super::run::{Done, Task};
use super::{CreateOutcome, Executor};
use crate::error::Error;
use crate::service::ServiceError;
use crate::store::attempts::{NewAttempt, StoredAttempt};

impl Executor {
    pub(crate) async fn create(&self, attempt: &Arc<NewAttempt>) -> Result<CreateOutcome, Error> {
        let executor = self.clone();
        let attempt = Arc::clone(attempt);
        let creating = async move {
            loop {
                let done = executor.work(&Task::Create(&attempt)).await?;
                let done = done.ok_or(ProblemCode::AttemptEnded)?;
                match done.answer {
                    Answer::Show(origin) => return executor.shown(&done.attempt, origin).await,
                    // The order is free now, unless another request was faster.
                    Answer::Free | Answer::Cancelled => {}
                    Answer::Failed => return Err(failed(done)),
                    Answer::Refused(refusal) => return Err(refused(refusal, done)),
                }
            }
        };
        self.run_to_completion(creating).await
    }

    /// The payment of an attempt, with its latest known record.
    async fn shown(&self, attempt: &StoredAttempt, origin: Origin) -> Result<CreateOutcome, Error> {
        // The record of an attempt that was pruned is no longer stored.
        let unidentified = Error::Problem(ProblemCode::PaymentUnidentified);
        let Some(transaction_id) = attempt.payment().cloned() else {
            return Err(unidentified);
        };
        let known = self.known(&transaction_id).await?;
        let (record, facts) = known.ok_or(unidentified)?;
        if origin != Origin::Repeated {
            let name: &str = origin.into();
            tracing::info!(transaction_id, origin = name, "a payment");
        }
        Ok(CreateOutcome {
            transaction_id,
            record,
            facts,
            origin,
        })
    }
}

/// The error of a call that failed. If the order has a payment already, that one is still open.
fn failed(done: Done) -> Error {
    let error = done.error.unwrap_or_else(|| ServiceError::Abandoned.into());
    match done.attempt.payment() {
        Some(_) => Error::EarlierPaymentOpen(error),
        None => error.into(),
    }
}

fn refused(refusal: Refusal, done: Done) -> Error {
    match refusal {
        Refusal::Ended => ProblemCode::AttemptEnded.into(),
        Refusal::Progressed => ProblemCode::PaymentProgressed.into(),
        Refusal::Marked => ProblemCode::PaymentSent.into(),
        Refusal::Open => ProblemCode::PaymentOpen.into(),
        Refusal::Unidentified => match done.error {
            Some(error) => error.into(),
            None => ProblemCode::PaymentUnidentified.into(),
        },
        Refusal::Unknown => Error::EarlierPaymentOpen(done.unconfirmed()),
        Refusal::Contradictory => ProblemCode::PaymentContradictory.into(),
    }
}
