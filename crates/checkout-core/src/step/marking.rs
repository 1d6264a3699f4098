//! The proxy's mark that money may have been sent for the payment. One rule: it stands exactly as long as the payment
//! [needs it](Awaiting::needs_mark). [`settle`] requests what is missing after each event.

use super::{paying, polling};
use crate::effect::Effect;
use crate::failure::FailureCode;
use crate::response::{self, FetchResult};
use crate::state::{Awaiting, SentMark, State};
use crate::wallet::{WalletFailure, WalletPayment};

/// Requests or takes back the mark, and asks the wallet that waits for it.
pub(super) fn settle(awaiting: &mut Awaiting) -> Option<Effect> {
    paying::drop_waiting(awaiting);
    let transaction_id = awaiting.payment.transaction_id.clone();
    match (awaiting.needs_mark(), &awaiting.mark, &awaiting.receipt) {
        (true, SentMark::None, Some(receipt)) => {
            let receipt = receipt.clone();
            awaiting.mark = SentMark::Storing;
            Some(Effect::MarkSent {
                transaction_id,
                receipt,
            })
        }
        // Without a receipt the payment can't be marked.
        (true, SentMark::None, None) | (true, SentMark::Stored(_) | SentMark::Unavailable, _) => {
            paying::ask(awaiting)
        }
        (false, SentMark::Stored(secret), Some(receipt)) => {
            let (secret, receipt) = (secret.clone(), receipt.clone());
            awaiting.mark = SentMark::Removing(secret.clone());
            Some(Effect::UnmarkSent {
                transaction_id,
                receipt,
                secret,
            })
        }
        // The next mark is requested again, because a restarting proxy may respond as one without the route.
        (false, SentMark::Failed | SentMark::Unavailable | SentMark::Stored(_), _) => {
            awaiting.mark = SentMark::None;
            None
        }
        (_, SentMark::Storing | SentMark::Removing(_), _)
        | (true, SentMark::Failed, _)
        | (false, SentMark::None, _) => None,
    }
}

/// Lets [`settle`] repeat a request that failed: with each poll, and for the next wallet.
pub(super) fn retry(awaiting: &mut Awaiting) {
    match &awaiting.mark {
        SentMark::Failed => awaiting.mark = SentMark::None,
        SentMark::Removing(secret) if !awaiting.needs_mark() => {
            awaiting.mark = SentMark::Stored(secret.clone());
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
    handle: impl FnOnce(&mut Awaiting) -> bool,
) -> (State, Vec<Effect>) {
    let may_have_changed =
        paying::find(&mut state, id).is_some_and(|(awaiting, _)| handle(awaiting));
    let mut effects = Vec::new();
    if let State::Awaiting(awaiting) = &mut state {
        if may_have_changed {
            effects.extend(polling::poll(awaiting));
        }
        effects.extend(settle(awaiting));
    }
    (state, effects)
}

/// The response to the request to store the mark.
pub(super) fn stored(awaiting: &mut Awaiting, result: FetchResult) -> bool {
    if awaiting.mark != SentMark::Storing {
        return false;
    }
    let is_route_missing = response::is_route_missing(&result);
    let (mark, is_refused) = match response::marked(result) {
        Ok(Some(secret)) => (SentMark::Stored(secret), false),
        Ok(None) => (SentMark::Unavailable, false),
        Err(_) if is_route_missing => (SentMark::Unavailable, false),
        Err(_) => (SentMark::Failed, true),
    };
    awaiting.mark = mark;
    if is_refused {
        refuse(awaiting);
    }
    is_refused
}

/// The response to the request to remove the mark with this secret.
pub(super) fn removed(awaiting: &mut Awaiting, secret: &str, result: FetchResult) -> bool {
    if !matches!(&awaiting.mark, SentMark::Removing(removing) if removing == secret) {
        return false;
    }
    match response::success(result) {
        Ok(_) => awaiting.mark = SentMark::None,
        // Repeating it would change nothing.
        Err(failure) if failure.code == FailureCode::RequestRefused => {
            awaiting.mark = SentMark::None;
        }
        Err(_) => refuse(awaiting),
    }
    false
}

/// Doesn't ask the wallet that waits for the mark.
fn refuse(awaiting: &mut Awaiting) {
    if matches!(awaiting.wallet_payment, WalletPayment::Marking { .. }) {
        awaiting.wallet_payment = WalletPayment::Failed(WalletFailure::NotAsked);
    }
}
