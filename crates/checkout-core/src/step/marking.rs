//! The proxy's mark that money may have been sent for the payment. One rule: it stands exactly as long as the payment
//! [needs it](CheckoutPayment::needs_mark). [`settle`] requests what is missing after each event.

use super::{paying, polling};
use crate::effect::Effect;
use crate::failure::FailureCode;
use crate::response::{self, FetchResult};
use crate::state::{CheckoutPayment, SentMark, State};
use crate::wallet::{WalletFailure, WalletPayment};

/// Requests or takes back the mark, and asks the wallet that waits for it.
pub(super) fn settle(payment: &mut CheckoutPayment) -> Option<Effect> {
    paying::drop_waiting(payment);
    match (payment.needs_mark(), &payment.mark, payment.with_receipt()) {
        (true, SentMark::None, Some(receipt)) => {
            payment.mark = SentMark::Storing;
            Some(Effect::MarkSent(receipt))
        }
        // Without a receipt the payment can't be marked.
        (true, SentMark::None, None) | (true, SentMark::Stored(_) | SentMark::Unavailable, _) => {
            paying::ask(payment)
        }
        (false, SentMark::Stored(secret), Some(receipt)) => {
            let secret = secret.clone();
            payment.mark = SentMark::Removing(secret.clone());
            Some(Effect::UnmarkSent(receipt, secret))
        }
        // The next mark is requested again, because a restarting proxy may respond as one without the route.
        (false, SentMark::Failed | SentMark::Unavailable | SentMark::Stored(_), _) => {
            payment.mark = SentMark::None;
            None
        }
        (_, SentMark::Storing | SentMark::Removing(_), _)
        | (true, SentMark::Failed, _)
        | (false, SentMark::None, _) => None,
    }
}

/// Lets [`settle`] repeat a request that failed: with each poll, and for the next wallet.
pub(super) fn retry(payment: &mut CheckoutPayment) {
    match &payment.mark {
        SentMark::Failed => payment.mark = SentMark::None,
        SentMark::Removing(secret) if !payment.needs_mark() => {
            payment.mark = SentMark::Stored(secret.clone());
        }
        SentMark::None
        | SentMark::Storing
        | SentMark::Stored(_)
        | SentMark::Removing(_)
        | SentMark::Unavailable => {}
    }
}

/// Handles a response about the mark of the payment `id`, also while the buyer is back at the form. `handle` returns
/// whether the payment may have changed; its status is then requested.
pub(super) fn finished(
    mut state: State,
    id: &str,
    handle: impl FnOnce(&mut CheckoutPayment) -> bool,
) -> (State, Vec<Effect>) {
    let may_have_changed = paying::find(&mut state, id).is_some_and(|(payment, _)| handle(payment));
    let mut effects = Vec::new();
    if let State::Awaiting(payment) = &mut state {
        if may_have_changed {
            effects.extend(polling::poll(payment));
        }
        effects.extend(settle(payment));
    }
    (state, effects)
}

/// The response to the request to store the mark.
pub(super) fn stored(payment: &mut CheckoutPayment, result: FetchResult) -> bool {
    if payment.mark != SentMark::Storing {
        return false;
    }
    let is_route_missing = response::is_route_missing(&result);
    let (mark, is_refused) = match response::marked(result) {
        Ok(Some(secret)) => (SentMark::Stored(secret), false),
        Ok(None) => (SentMark::Unavailable, false),
        Err(_) if is_route_missing => (SentMark::Unavailable, false),
        Err(_) => (SentMark::Failed, true),
    };
    payment.mark = mark;
    if is_refused {
        refuse(payment);
    }
    is_refused
}

/// The response to the request to remove the mark with this secret.
pub(super) fn removed(payment: &mut CheckoutPayment, secret: &str, result: FetchResult) -> bool {
    if !matches!(&payment.mark, SentMark::Removing(removing) if removing == secret) {
        return false;
    }
    match response::success(result) {
        Ok(_) => payment.mark = SentMark::None,
        // Repeating it would change nothing.
        Err(failure) if failure.code == FailureCode::RequestRefused => {
            payment.mark = SentMark::None;
        }
        Err(_) => refuse(payment),
    }
    false
}

/// Doesn't ask the wallet that waits for the mark.
fn refuse(payment: &mut CheckoutPayment) {
    if matches!(payment.wallet_payment, WalletPayment::Marking { .. }) {
        payment.wallet_payment = WalletPayment::Failed(WalletFailure::NotAsked);
    }
}
