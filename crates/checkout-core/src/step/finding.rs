//! What the look-up of the order's payment says, and where the page shows the payment that it found.

use super::{awaiting, emit_error};
use crate::choice::Choice;
use crate::config::Config;
use crate::effect::Effect;
use crate::failure::{Failure, FailureCode};
use crate::form::Form;
use crate::found::FoundPayment;
use crate::response::{self, FetchResult};
use crate::state::{Access, CheckoutPayment, Draft, LookUp, PriorAttempt, State};

/// The result of a look-up.
pub(super) enum LookUpResult {
    /// The order has no payment, as far as the proxy knows.
    Nothing,
    /// The order's payment.
    Found(Box<FoundPayment>),
    /// The request failed. A later one may succeed.
    Failed(Failure),
    /// Nothing may be bought with this order, now or ever.
    Refused(Failure),
}

pub(super) fn read(result: FetchResult) -> LookUpResult {
    let failure = match response::found(result) {
        Ok(None) => return LookUpResult::Nothing,
        Ok(Some(found)) => return LookUpResult::Found(Box::new(found)),
        Err(failure) => failure,
    };
    match failure.code {
        FailureCode::OrderRefused
        | FailureCode::OrderExpired
        | FailureCode::MayBePaid
        | FailureCode::RecordMismatch => LookUpResult::Refused(failure),
        FailureCode::ConfigInvalid
        | FailureCode::Unreachable
        | FailureCode::Timeout
        | FailureCode::ServiceFailed
        | FailureCode::AnswerUnreadable
        | FailureCode::NoTokens
        | FailureCode::AttemptEnded
        | FailureCode::PaymentOpen
        | FailureCode::EarlierPaymentOpen
        | FailureCode::RequestRefused => LookUpResult::Failed(failure),
    }
}

/// Shows a found payment in place of everything else, or keeps it in `prior`, above the form. What this tab knows of the same
/// payment is more: the buyer's transaction, the wallet.
///
/// # Errors
/// [`Failure`] if the record contradicts the order.
pub(super) fn place(
    config: &Config,
    choices: &[Choice],
    form: Form,
    prior: &mut Option<PriorAttempt>,
    found: FoundPayment,
) -> Result<Option<(State, Vec<Effect>)>, Failure> {
    let is_sent = found.created.is_sent;
    let is_same = |known: &CheckoutPayment, found: &CheckoutPayment| {
        known.record.transaction_id == found.record.transaction_id
    };
    let known = prior.take();
    *prior = match (found.into_prior(config, choices, form)?, known) {
        (Some(PriorAttempt::Payment(found)), Some(PriorAttempt::Payment(mut known)))
            if is_same(&known, &found) && known.access != Access::ReadOnly =>
        {
            known.hear_mark(is_sent);
            return Ok(Some(awaiting::resume(*known)));
        }
        // A renewed order lets it be cancelled again.
        (Some(PriorAttempt::Payment(found)), _) => return Ok(Some(awaiting::found(*found))),
        (Some(PriorAttempt::Outdated(found)), Some(PriorAttempt::Outdated(known)))
            if is_same(&known, &found) =>
        {
            Some(PriorAttempt::Outdated(known))
        }
        (Some(found), _) => Some(found),
        (None, known) => known,
    };
    Ok(None)
}

/// Offers nothing, because nothing may be bought, or because the order may be paid.
pub(super) fn refuse(mut draft: Draft, failure: Failure) -> (State, Vec<Effect>) {
    // The listing is fetched again together with a new look-up.
    draft.look_up = LookUp::Due;
    let event = emit_error(&failure);
    (State::Unavailable(draft, failure), vec![event])
}
