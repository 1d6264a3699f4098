//! Paying from a wallet in the browser. One request is open at a time, and none once the
//! transaction is known.

use super::awaiting::set_transaction;
use crate::effect::Effect;
use crate::state::{Awaiting, Cancelling};
use crate::wallet::{WalletFailure, WalletId, WalletPayment, WalletRequest};

/// Asks a wallet to pay.
pub(super) fn request(awaiting: &mut Awaiting, wallet: WalletId) -> Vec<Effect> {
    let may_not_pay = !awaiting.asks_for_money()
        || awaiting.cancelling == Cancelling::Requested
        || awaiting.is_wallet_asked();
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

/// Handles the result of a wallet request. A transaction hash is stored even if it arrives late.
pub(super) fn finish(
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
