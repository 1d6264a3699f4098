//! Paying from a wallet in the browser. One request is open at a time, and none once the
//! transaction is known.

use super::awaiting::set_transaction;
use crate::effect::Effect;
use crate::state::{Awaiting, Cancelling, PaymentProgress};
use crate::wallet::{WalletFailure, WalletId, WalletPayment};

/// Asks a wallet to pay.
pub(super) fn request(awaiting: &mut Awaiting, wallet: WalletId) -> Vec<Effect> {
    let may_not_pay = awaiting.progress != PaymentProgress::Open
        || awaiting.cancelling == Cancelling::Requested
        || awaiting.is_wallet_asked();
    let Some(transfer) = awaiting.transfer().filter(|_| !may_not_pay) else {
        return Vec::new();
    };
    // A buyer who pays no longer wants to cancel.
    if awaiting.cancelling == Cancelling::Confirming {
        awaiting.cancelling = Cancelling::Idle;
    }
    awaiting.wallet_payment = WalletPayment::Asked(wallet);
    vec![Effect::RequestWalletPayment {
        wallet,
        transaction_id: awaiting.payment.transaction_id.clone(),
        transfer: Box::new(transfer),
    }]
}

/// Handles the wallet's answer.
pub(super) fn finish(
    awaiting: &mut Awaiting,
    result: Result<String, WalletFailure>,
) -> Vec<Effect> {
    if !awaiting.is_wallet_asked() {
        return Vec::new();
    }
    let hash = result.and_then(|text| awaiting.read_hash(&text).ok_or(WalletFailure::Unclear));
    awaiting.wallet_payment = match hash {
        Ok(_) | Err(WalletFailure::Declined) => WalletPayment::Idle,
        Err(failure) => WalletPayment::Failed(failure),
    };
    hash.map_or_else(|_| Vec::new(), |hash| set_transaction(awaiting, hash))
}
