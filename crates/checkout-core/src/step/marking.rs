//! This page's mark that money may have been sent for the payment. One rule: it stands exactly as long as the payment
//! [needs it](CheckoutPayment::needs_mark). [`settle`] requests what is missing after each event.

use super::{paying, polling, preparing};
use crate::effect::Effect;
use crate::failure::FailureCode;
use crate::response::{self, FetchResult};
use crate::state::{CheckoutPayment, MarkSecret, Phase, SentMark, State};
use crate::wallet::{WalletFailure, WalletPayment, WalletStep};

/// Sets or removes the mark, and goes on with the wallet that waits for it.
pub(super) fn settle(payment: &mut CheckoutPayment) -> Option<Effect> {
    preparing::end_unwanted(payment);
    match (
        payment.needs_mark(),
        &payment.facts.mark,
        payment.with_receipt(),
    ) {
        (true, SentMark::None, Some(receipt)) => Some(Effect::ChooseSecret(receipt.transaction_id)),
        // Without a receipt the payment can't be marked.
        (true, SentMark::None, None) | (true, SentMark::Set(_) | SentMark::Unavailable, _) => {
            preparing::marked(payment)
        }
        (false, SentMark::Set(secret) | SentMark::Unconfirmed(secret), Some(_)) => {
            remove(payment, secret.clone())
        }
        // The next mark is requested again, because a restarting proxy may respond as one without the route.
        (false, SentMark::Unavailable | SentMark::Set(_) | SentMark::Unconfirmed(_), _) => {
            payment.facts.mark = SentMark::None;
            None
        }
        (_, SentMark::Setting(_) | SentMark::Removing(_) | SentMark::NotRemoved(_), _)
        | (true, SentMark::Unconfirmed(_), _)
        | (false, SentMark::None, _) => None,
    }
}

/// Repeats a request that failed: with each poll, and for the next wallet. A mark that may have been removed is first removed for
/// certain, so that no late request removes the next one.
pub(super) fn retry(payment: &mut CheckoutPayment) -> Option<Effect> {
    match &payment.facts.mark {
        SentMark::Unconfirmed(secret) if payment.needs_mark() => set(payment, secret.clone()),
        SentMark::NotRemoved(secret) => remove(payment, secret.clone()),
        _ => None,
    }
}

/// The secret of the mark that the payment needs. It is saved before the request is sent.
pub(super) fn chosen(state: &mut State, id: &str, secret: MarkSecret) -> Vec<Effect> {
    let effect = paying::find(state, id).and_then(|(payment, _)| {
        let is_needed = payment.facts.mark == SentMark::None && payment.needs_mark();
        is_needed.then(|| set(payment, secret)).flatten()
    });
    effect.into_iter().collect()
}

fn set(payment: &mut CheckoutPayment, secret: MarkSecret) -> Option<Effect> {
    let receipt = payment.with_receipt()?;
    payment.facts.mark = SentMark::Setting(secret.clone());
    Some(Effect::MarkSent(receipt, secret))
}

fn remove(payment: &mut CheckoutPayment, secret: MarkSecret) -> Option<Effect> {
    let receipt = payment.with_receipt()?;
    payment.facts.mark = SentMark::Removing(secret.clone());
    Some(Effect::UnmarkSent(receipt, secret))
}

/// Handles what is about the mark of the payment `id`, also while the buyer is back at the form. `handle` returns whether the payment
/// may be another one than is known; its status is then requested.
pub(super) fn finished(
    state: &mut State,
    id: &str,
    handle: impl FnOnce(&mut CheckoutPayment) -> bool,
) -> Vec<Effect> {
    let is_unknown = paying::find(state, id).is_some_and(|(payment, _)| handle(payment));
    match &mut state.phase {
        Phase::Awaiting(payment) if is_unknown => polling::poll(payment),
        _ => Vec::new(),
    }
}

/// What [`settle`] requests for the payment `id`.
pub(super) fn settle_of(state: &mut State, id: &str) -> Option<Effect> {
    let is_payable = !matches!(state.phase, Phase::NotPayable(..));
    let (payment, has_ended) = paying::find(state, id)?;
    if is_payable && !has_ended {
        settle(payment)
    } else {
        release(payment)
    }
}

/// Removes the mark of a payment to which no money should be sent any more, once nothing needs it. Its order may be free then.
pub(super) fn release(payment: &mut CheckoutPayment) -> Option<Effect> {
    if payment.needs_mark() {
        return None;
    }
    settle(payment)
}

/// The response to the request to set the mark. If it fails, the payment may have changed. If another page's mark was the first, the
/// money may be on its way from there.
pub(super) fn marked(payment: &mut CheckoutPayment, result: FetchResult) -> bool {
    let SentMark::Setting(secret) = &payment.facts.mark else {
        return false;
    };
    let secret = secret.clone();
    let is_route_missing = response::is_route_missing(&result);
    let is_refused = matches!(&result, Ok(response) if (400..500).contains(&response.status));
    match response::marked(result) {
        Ok(mark) => {
            payment.facts.mark = if mark.removable {
                SentMark::Set(secret)
            } else {
                SentMark::Unavailable
            };
            if !mark.first && !payment.facts.ignores_marks {
                payment.facts.is_marked = true;
            }
            false
        }
        Err(_) if is_route_missing => {
            payment.facts.mark = SentMark::Unavailable;
            false
        }
        Err(_) => {
            refuse(payment);
            // What is still needed is requested again with the next poll, also if it was refused.
            payment.facts.mark = if is_refused && !payment.needs_mark() {
                SentMark::None
            } else {
                SentMark::Unconfirmed(secret)
            };
            true
        }
    }
}

/// The response to the request to remove the mark with this secret. Until then it was not known whether another one stands.
pub(super) fn removed(
    payment: &mut CheckoutPayment,
    secret: &MarkSecret,
    result: FetchResult,
) -> bool {
    if !matches!(&payment.facts.mark, SentMark::Removing(removing) if removing == secret) {
        return false;
    }
    match response::success(result) {
        // Repeating what was refused would change nothing.
        Err(failure) if failure.code != FailureCode::RequestRefused => {
            payment.facts.mark = SentMark::NotRemoved(secret.clone());
            refuse(payment);
            false
        }
        _ => {
            payment.facts.mark = SentMark::None;
            true
        }
    }
}

/// Doesn't ask the wallet that waits for the mark.
fn refuse(payment: &mut CheckoutPayment) {
    if matches!(&payment.wallet.state, WalletPayment::Preparing(preparation)
        if matches!(preparation.step, WalletStep::Marking(_)))
    {
        payment.wallet.state = WalletPayment::Failed(WalletFailure::NotAsked);
    }
}
