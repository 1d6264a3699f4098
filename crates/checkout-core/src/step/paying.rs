//! Paying from a wallet in the browser, and the transaction that the buyer has sent. One request is
//! open at a time, and none once the transaction is known.

use super::emit;
use super::ended::sent_after_end;
use crate::asset::TransactionHash;
use crate::effect::{Effect, HostEvent};
use crate::state::{Awaiting, Cancelling, Choosing, Draft, PaymentProgress, PriorAttempt, State};
use crate::wallet::{WalletFailure, WalletId, WalletPayment, WalletRequest};

/// Asks a wallet to pay.
pub(super) fn request(awaiting: &mut Awaiting, wallet: WalletId) -> Vec<Effect> {
    let may_not_pay =
        !awaiting.asks_for_money() || awaiting.may_be_cancelled() || awaiting.is_wallet_asked();
    let Some(transfer) = awaiting.transfer().filter(|_| !may_not_pay) else {
        return Vec::new();
    };
    // A buyer who pays no longer wants to cancel.
    if awaiting.cancelling == Cancelling::Confirming {
        awaiting.cancelling = Cancelling::Idle;
    }
    awaiting.is_earlier_wallet_unclear = awaiting.is_wallet_unclear();
    awaiting.wallet_payment = WalletPayment::Asked(wallet);
    awaiting.wallet_request = WalletRequest(awaiting.wallet_request.0.saturating_add(1));
    vec![Effect::RequestWalletPayment {
        wallet,
        request: awaiting.wallet_request,
        transaction_id: awaiting.payment.transaction_id.clone(),
        transfer: Box::new(transfer),
    }]
}

/// Stops waiting for the wallet, which may still send the transaction.
pub(super) fn abandon(awaiting: &mut Awaiting) {
    if awaiting.is_wallet_asked() {
        awaiting.wallet_payment = WalletPayment::Abandoned;
    }
}

/// Handles the result of a wallet request for the payment `id`, also while the buyer is back at the form.
///
/// If a payment was sent and the page has left it as ended, it is shown again, so that the buyer does not
/// pay twice.
pub(super) fn finished(
    mut state: State,
    id: &str,
    request: WalletRequest,
    result: Result<String, WalletFailure>,
) -> (State, Vec<Effect>) {
    let (awaiting, has_ended) = match &mut state {
        State::Awaiting(awaiting)
        | State::Pending(awaiting)
        | State::Underpaid(awaiting)
        | State::Unknown(awaiting)
        | State::OrderPaid(awaiting)
        | State::Paid(awaiting)
        | State::Closed(awaiting) => (awaiting, false),
        State::Cancelled(awaiting) => (awaiting, true),
        State::Loading(Draft { prior, .. })
        | State::Unavailable(Draft { prior, .. }, _)
        | State::Found(Draft { prior, .. }, _)
        | State::Choosing(Choosing { prior, .. }, _)
        | State::Submitting(Choosing { prior, .. }, ..)
        | State::Failed(Choosing { prior, .. }, ..) => match prior {
            Some(
                PriorAttempt::Payment(awaiting)
                | PriorAttempt::Outdated(awaiting)
                | PriorAttempt::Mismatched(awaiting),
            ) => (awaiting, false),
            Some(PriorAttempt::Ended(awaiting)) => (awaiting, true),
            Some(PriorAttempt::Attempt(_)) | None => return (state, Vec::new()),
        },
    };
    if awaiting.payment.transaction_id != id {
        return (state, Vec::new());
    }
    let mut effects = finish(awaiting, request, result);
    if !has_ended || awaiting.transaction().is_none() {
        return (state, effects);
    }
    let (state, follow) = sent_after_end((**awaiting).clone());
    effects.extend(follow);
    (state, effects)
}

/// A transaction hash is stored even if it arrives late.
fn finish(
    awaiting: &mut Awaiting,
    request: WalletRequest,
    result: Result<String, WalletFailure>,
) -> Vec<Effect> {
    if request.0 > awaiting.wallet_request.0 {
        return Vec::new();
    }
    let hash = result.and_then(|text| awaiting.read_hash(&text).ok_or(WalletFailure::Unclear));
    let is_latest = request == awaiting.wallet_request
        && matches!(
            awaiting.wallet_payment,
            WalletPayment::Asked(_) | WalletPayment::Abandoned
        );
    if is_latest {
        awaiting.wallet_payment = match hash {
            Err(WalletFailure::Declined) if awaiting.is_earlier_wallet_unclear => {
                WalletPayment::Failed(WalletFailure::Unclear)
            }
            Ok(_) | Err(WalletFailure::Declined) => WalletPayment::Idle,
            Err(failure) => WalletPayment::Failed(failure),
        };
    }
    hash.map_or_else(|_| Vec::new(), |hash| set_transaction(awaiting, hash))
}

/// Stores the hash of the buyer's transaction.
pub(super) fn set_transaction(awaiting: &mut Awaiting, hash: TransactionHash) -> Vec<Effect> {
    if awaiting.transaction() == Some(&hash) {
        return Vec::new();
    }
    let explorer = awaiting.choice.explorer.as_ref();
    let event = HostEvent::Transaction {
        hash: hash.as_str().to_owned(),
        url: explorer.map(|explorer| explorer.transaction(&hash)),
    };
    awaiting.progress = PaymentProgress::Sent(hash);
    vec![emit(event)]
}
