//! The receipts of transactions that a wallet has returned to this page.

use super::paying;
use crate::asset::TransactionHash;
use crate::effect::Effect;
use crate::state::{CheckoutPayment, State};
use crate::wallet::{Receipt, WalletFailure, WalletPayment, Watch};

/// The wait until the first read of a receipt, in seconds. Each wait is longer than the one before by the same number.
const FIRST_READ: u32 = 5;

/// The longest wait between two reads of a receipt, in seconds.
const LONGEST_READ: u32 = 60;

/// The transaction whose receipt is read: what was sent, or what was signed and is not wanted.
fn watched(payment: &mut CheckoutPayment) -> Option<(&TransactionHash, &mut Watch)> {
    match &mut payment.wallet.state {
        WalletPayment::Sent(watch) => Some((payment.facts.transaction.as_ref()?, watch)),
        WalletPayment::Signed(hash, watch) => Some((hash, watch)),
        _ => None,
    }
}

/// Reads the receipt, after a wait.
pub(super) fn read_next(payment: &mut CheckoutPayment) -> Option<Effect> {
    let transfer = Box::new(payment.transfer()?);
    let transaction_id = payment.record.transaction_id.clone();
    let (hash, watch) = watched(payment)?;
    let seconds = watch.reads.saturating_add(1).saturating_mul(FIRST_READ);
    Some(Effect::ReadReceipt {
        wallet: watch.wallet,
        transaction_id,
        transfer,
        hash: hash.as_str().to_owned(),
        expiration: watch.expiration,
        seconds: seconds.min(LONGEST_READ),
    })
}

/// Handles the receipt of the transaction with this hash, of the payment `id`, also while the buyer is back at the form. If it failed
/// for good, nothing was paid, and the payment can be paid again. A success is not the service's word that it is paid.
pub(super) fn read(state: &mut State, id: &str, hash: &str, receipt: Receipt) -> Vec<Effect> {
    let effect = paying::find(state, id).and_then(|(payment, _)| apply(payment, hash, receipt));
    effect.into_iter().collect()
}

fn apply(payment: &mut CheckoutPayment, hash: &str, receipt: Receipt) -> Option<Effect> {
    let (known, watch) = watched(payment)?;
    if known.as_str() != hash {
        return None;
    }
    match receipt {
        Receipt::NotRead => return read_next(payment),
        Receipt::Unknown => {
            watch.reads = watch.reads.saturating_add(1);
            return read_next(payment);
        }
        Receipt::Succeeded | Receipt::Failed => {}
    }
    let known = known.clone();
    let watched = std::mem::take(&mut payment.wallet.state);
    match (watched, receipt) {
        (WalletPayment::Signed(..), Receipt::Succeeded) => {
            return paying::set_transaction(payment, known, false);
        }
        (WalletPayment::Sent(_), Receipt::Failed) => {
            payment.facts.transaction = None;
            payment.wallet.state = WalletPayment::Failed(WalletFailure::TransactionFailed);
        }
        _ => {}
    }
    None
}
