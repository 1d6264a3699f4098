//! Paying from a wallet in the buyer's browser: one request at a time, none once there is a
//! transaction.

use super::awaiting::take_hash;
use crate::effect::Effect;
use crate::state::{Awaiting, Cancelling, PaymentProgress};
use crate::wallet::{WalletFailure, WalletId, WalletPayment};

pub(super) fn chosen(awaiting: &mut Awaiting, wallet: WalletId) -> Vec<Effect> {
    let is_settled = awaiting.progress != PaymentProgress::Open
        || awaiting.cancelling == Cancelling::Requested
        || awaiting.is_wallet_asked();
    let Some(transfer) = awaiting.transfer().filter(|_| !is_settled) else {
        return Vec::new();
    };
    // Who pays does not want to cancel any more.
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

pub(super) fn answered(
    awaiting: &mut Awaiting,
    answer: Result<String, WalletFailure>,
) -> Vec<Effect> {
    if !awaiting.is_wallet_asked() {
        return Vec::new();
    }
    let hash = answer.and_then(|text| awaiting.read_hash(&text).ok_or(WalletFailure::Unclear));
    awaiting.wallet_payment = match hash {
        Ok(_) | Err(WalletFailure::Declined) => WalletPayment::Idle,
        Err(failure) => WalletPayment::Failed(failure),
    };
    hash.map_or_else(|_| Vec::new(), |hash| take_hash(awaiting, hash))
}
