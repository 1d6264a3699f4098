//! What the look-up of the order's payment says, and where the page shows the payment that it found.

use super::{Next, awaiting, emit_error, submitting};
use crate::choice::Choice;
use crate::config::Config;
use crate::failure::{Failure, FailureCode};
use crate::form::FormProblem;
use crate::found::FoundPayment;
use crate::response::{self, FetchResult};
use crate::state::{
    Access, CheckoutPayment, Choosing, Context, LookUp, Phase, PriorAttempt, SubmitStep,
};

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

/// Handles the response to the look-up, in any phase.
pub(super) fn finished(
    config: &Config,
    context: &mut Context,
    phase: Phase,
    result: FetchResult,
) -> Next {
    if context.look_up != LookUp::Requested {
        return (phase, Vec::new());
    }
    context.look_up = LookUp::Done;
    match (read(result), phase) {
        (result, Phase::Awaiting(payment)) => awaiting::looked_up(context, *payment, result),
        (_, phase @ Phase::NotPayable(..)) => (phase, Vec::new()),
        (LookUpResult::Found(found), Phase::Loading(_)) => {
            (Phase::Loading(Some(found)), Vec::new())
        }
        (LookUpResult::Found(found), phase) => {
            let listed = match &phase {
                Phase::Choosing(choosing) | Phase::Submitting(choosing, ..) => choosing.listed(),
                _ => Vec::new(),
            };
            match place(config, context, &listed, *found) {
                Ok(Some(shown)) => shown,
                Ok(None) => go_on(context, phase),
                Err(mismatch) => refuse(context, mismatch),
            }
        }
        (LookUpResult::Nothing, phase)
        | (
            LookUpResult::Failed(_) | LookUpResult::Refused(_),
            // The failure of the creation says more.
            phase @ Phase::Submitting(_, _, SubmitStep::Finding(Some(_))),
        ) => go_on(context, phase),
        (LookUpResult::Failed(failure), phase) => {
            context.look_up = LookUp::Due;
            let phase = match phase {
                Phase::Submitting(choosing, ..) => Phase::Choosing(Choosing {
                    problem: Some(FormProblem::LookUpFailed),
                    ..choosing
                }),
                phase => phase,
            };
            (phase, vec![emit_error(&failure)])
        }
        (LookUpResult::Refused(failure), _) => refuse(context, failure),
    }
}

/// Goes on with a submitted form, whose order has no payment to show.
fn go_on(context: &mut Context, phase: Phase) -> Next {
    match phase {
        Phase::Submitting(choosing, attempt, SubmitStep::Finding(cause)) => match cause {
            None => submitting::proceed(context, choosing, attempt),
            Some(_) if context.open_question().is_some() => submitting::ask(choosing),
            Some(cause) => submitting::give_up(context, choosing, attempt, cause),
        },
        phase => (phase, Vec::new()),
    }
}

fn read(result: FetchResult) -> LookUpResult {
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

/// Shows a found payment in place of everything else, or keeps it above the form. What this tab knows of the same payment is
/// more: the buyer's transaction, the wallet.
///
/// # Errors
/// [`Failure`] if the record contradicts the order.
pub(super) fn place(
    config: &Config,
    context: &mut Context,
    choices: &[Choice],
    found: FoundPayment,
) -> Result<Option<Next>, Failure> {
    let is_sent = found.created.facts.is_marked;
    let is_same = |known: &CheckoutPayment, found: &CheckoutPayment| {
        known.record.transaction_id == found.record.transaction_id
    };
    let known = context.prior.take();
    context.prior = match (found.into_prior(config, choices)?, known) {
        (Some(PriorAttempt::Payment(found)), Some(PriorAttempt::Payment(mut known)))
            if is_same(&known, &found) && known.facts.access != Access::ReadOnly =>
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
pub(super) fn refuse(context: &mut Context, failure: Failure) -> Next {
    // The listing is fetched again together with a new look-up.
    context.look_up = LookUp::Due;
    let event = emit_error(&failure);
    (Phase::Unavailable(failure), vec![event])
}
