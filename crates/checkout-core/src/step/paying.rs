//! Paying from a wallet in the browser, and the transaction that the buyer has sent. One request is
//! open at a time, and none once the transaction is known.

use super::ended::reopen_as_closed;
use super::{emit, marking};
use crate::asset::TransactionHash;
use crate::effect::{Effect, HostEvent};
use crate::state::{
    Cancelling, CheckoutPayment, Choosing, Draft, Ending, HashSource, PaymentProgress,
    PriorAttempt, State,
};
use crate::wallet::{Receipt, WalletFailure, WalletId, WalletPayment, WalletRequest};

/// The buyer wants to pay from a wallet.
pub(super) fn request(payment: &mut CheckoutPayment, wallet: WalletId) -> Option<Effect> {
    let may_pay = payment.asks_for_money()
        && !payment.may_be_cancelled()
        && !payment.is_wallet_asked()
        && payment.transfer().is_some();
    if !may_pay {
        return None;
    }
    // A buyer who pays no longer wants to cancel.
    if payment.cancelling == Cancelling::Confirming {
        payment.cancelling = Cancelling::Idle;
    }
    payment.is_earlier_wallet_unclear = payment.is_wallet_unclear();
    // After the warning, a second press opens the wallet: the estimate may be wrong.
    let checks_funds = !matches!(
        payment.wallet_payment,
        WalletPayment::Failed(WalletFailure::Short(_))
    );
    payment.wallet_payment = WalletPayment::Marking {
        wallet,
        checks_funds,
    };
    marking::retry(payment)
}

/// Forgets the wallet that waits for the mark once there is nothing to pay any more.
pub(super) fn drop_waiting(payment: &mut CheckoutPayment) {
    let is_waiting = matches!(payment.wallet_payment, WalletPayment::Marking { .. });
    if is_waiting && !payment.asks_for_money() {
        payment.wallet_payment = without_request(payment);
    }
}

/// Asks the wallet that waits for the mark.
pub(super) fn ask(payment: &mut CheckoutPayment) -> Option<Effect> {
    let WalletPayment::Marking {
        wallet,
        checks_funds,
    } = payment.wallet_payment
    else {
        return None;
    };
    let transfer = payment.transfer()?;
    payment.wallet_payment = WalletPayment::Asked(wallet);
    payment.wallet_request = WalletRequest(payment.wallet_request.0.saturating_add(1));
    Some(Effect::RequestWalletPayment {
        wallet,
        request: payment.wallet_request,
        transaction_id: payment.record.transaction_id.clone(),
        transfer: Box::new(transfer),
        checks_funds,
    })
}

/// Stops waiting for the wallet. If it was asked, it may still send the transaction.
pub(super) fn abandon(payment: &mut CheckoutPayment) {
    payment.wallet_payment = match payment.wallet_payment {
        WalletPayment::Marking { .. } => without_request(payment),
        WalletPayment::Asked(_) => WalletPayment::Abandoned,
        other @ (WalletPayment::Idle | WalletPayment::Abandoned | WalletPayment::Failed(_)) => {
            other
        }
    };
}

/// The buyer says that nothing was sent. Only this page's own mark is removed: what others have marked is neither cancelled nor
/// replaced.
pub(super) fn say_unsent(payment: &mut CheckoutPayment) {
    if !payment.may_say_unsent() {
        return;
    }
    payment.ignores_marks |= payment.progress == PaymentProgress::Marked;
    payment.progress = PaymentProgress::Open;
    payment.wallet_payment = WalletPayment::Idle;
    payment.is_earlier_wallet_unclear = false;
}

/// What is left when the latest request has sent nothing.
fn without_request(payment: &CheckoutPayment) -> WalletPayment {
    if payment.is_earlier_wallet_unclear {
        WalletPayment::Failed(WalletFailure::Unclear)
    } else {
        WalletPayment::Idle
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
    let Some((payment, has_ended)) = find(&mut state, id) else {
        return (state, Vec::new());
    };
    let mut effects = finish(payment, request, result);
    if !has_ended || payment.transaction().is_none() {
        if let State::Awaiting(payment) = &mut state {
            effects.extend(marking::settle(payment));
        }
        return (state, effects);
    }
    let (state, follow) = reopen_as_closed(payment.clone());
    effects.extend(follow);
    (state, effects)
}

/// The payment `id`, also while the buyer is back at the form, and whether the page has left it as ended.
pub(super) fn find<'a>(state: &'a mut State, id: &str) -> Option<(&'a mut CheckoutPayment, bool)> {
    let (payment, has_ended) = match state {
        State::Awaiting(payment) => (payment, false),
        State::Ended(ending, payment) => (payment, *ending == Ending::Cancelled),
        State::Loading(Draft { prior, .. }, _)
        | State::Unavailable(Draft { prior, .. }, _)
        | State::Choosing(Choosing { prior, .. }, _)
        | State::Submitting(Choosing { prior, .. }, ..)
        | State::Failed(Choosing { prior, .. }, ..) => match prior {
            Some(
                PriorAttempt::Payment(payment)
                | PriorAttempt::Outdated(payment)
                | PriorAttempt::Mismatched(payment),
            ) => (payment, false),
            Some(PriorAttempt::Ended(payment)) => (payment, true),
            Some(PriorAttempt::Attempt(_)) | None => return None,
        },
    };
    (payment.record.transaction_id == id).then_some((payment, has_ended))
}

/// A transaction hash is stored even if it arrives late.
fn finish(
    payment: &mut CheckoutPayment,
    request: WalletRequest,
    result: Result<String, WalletFailure>,
) -> Vec<Effect> {
    if request.0 > payment.wallet_request.0 {
        return Vec::new();
    }
    let hash = result.and_then(|text| payment.read_hash(&text).ok_or(WalletFailure::Unclear));
    let asked = match payment.wallet_payment {
        WalletPayment::Asked(wallet) => Some(wallet),
        WalletPayment::Abandoned
        | WalletPayment::Idle
        | WalletPayment::Marking { .. }
        | WalletPayment::Failed(_) => None,
    };
    let is_latest = request == payment.wallet_request;
    let source = match asked.filter(|_| is_latest) {
        Some(wallet) => HashSource::Returned { wallet, reads: 0 },
        None => HashSource::Fixed,
    };
    if is_latest && (asked.is_some() || payment.wallet_payment == WalletPayment::Abandoned) {
        payment.wallet_payment = match hash {
            Err(WalletFailure::Declined | WalletFailure::NotWanted) => without_request(payment),
            Ok(_) => WalletPayment::Idle,
            Err(failure) => WalletPayment::Failed(failure),
        };
    }
    let event = hash
        .ok()
        .and_then(|hash| set_transaction(payment, hash, source));
    let Some(event) = event else {
        return Vec::new();
    };
    std::iter::once(event)
        .chain(read_receipt(payment))
        .collect()
}

/// The buyer entered a text as the hash of their transaction.
pub(super) fn enter_hash(payment: &mut CheckoutPayment, text: &str) -> Option<Effect> {
    let source = match payment.progress {
        PaymentProgress::Open | PaymentProgress::Sent(_, HashSource::Typed) => HashSource::Typed,
        PaymentProgress::StatusChanged | PaymentProgress::Marked | PaymentProgress::SaidSent => {
            HashSource::Fixed
        }
        PaymentProgress::Sent(_, HashSource::Returned { .. } | HashSource::Fixed) => return None,
    };
    set_transaction(payment, payment.read_hash(text)?, source)
}

/// The buyer removed the hash that they had entered.
pub(super) fn remove_hash(payment: &mut CheckoutPayment) {
    if matches!(
        payment.progress,
        PaymentProgress::Sent(_, HashSource::Typed)
    ) {
        payment.progress = PaymentProgress::Open;
    }
}

/// Stores the hash of the buyer's transaction.
fn set_transaction(
    payment: &mut CheckoutPayment,
    hash: TransactionHash,
    source: HashSource,
) -> Option<Effect> {
    let is_known = payment.transaction() == Some(&hash);
    let is_typed = matches!(
        payment.progress,
        PaymentProgress::Sent(_, HashSource::Typed)
    );
    if is_known && (source == HashSource::Typed || !is_typed) {
        return None;
    }
    let explorer = payment.choice.explorer.as_ref();
    let event = HostEvent::Transaction {
        hash: hash.as_str().to_owned(),
        url: explorer.map(|explorer| explorer.transaction(&hash)),
    };
    payment.progress = PaymentProgress::Sent(hash, source);
    (!is_known).then(|| emit(event))
}

/// The wait until the first read of a receipt, in seconds. Each wait is longer than the one before by the same number.
const FIRST_READ: u32 = 5;

/// The longest wait between two reads of a receipt, in seconds.
const LONGEST_READ: u32 = 60;

/// Reads the receipt of the transaction, if this page's own request has returned it.
fn read_receipt(payment: &CheckoutPayment) -> Option<Effect> {
    let PaymentProgress::Sent(hash, HashSource::Returned { wallet, reads }) = &payment.progress
    else {
        return None;
    };
    let seconds = reads.saturating_add(1).saturating_mul(FIRST_READ);
    Some(Effect::ReadReceipt {
        wallet: *wallet,
        transaction_id: payment.record.transaction_id.clone(),
        transfer: Box::new(payment.transfer()?),
        hash: hash.as_str().to_owned(),
        seconds: seconds.min(LONGEST_READ),
    })
}

/// Handles the receipt of the transaction. If it failed for good, and no earlier request may have sent the money, nothing
/// was paid, and the payment can be paid again. A success is not the service's word that it is paid.
pub(super) fn receipt_read(
    payment: &mut CheckoutPayment,
    hash: &str,
    receipt: Receipt,
) -> Option<Effect> {
    let is_earlier_unclear = payment.is_earlier_wallet_unclear;
    let PaymentProgress::Sent(known, source) = &mut payment.progress else {
        return None;
    };
    let HashSource::Returned { reads, .. } = source else {
        return None;
    };
    if known.as_str() != hash {
        return None;
    }
    match receipt {
        Receipt::NotRead => return read_receipt(payment),
        Receipt::Unknown => {
            *reads = reads.saturating_add(1);
            return read_receipt(payment);
        }
        Receipt::Failed if !is_earlier_unclear => {
            payment.progress = PaymentProgress::Open;
            payment.wallet_payment = WalletPayment::Failed(WalletFailure::TransactionFailed);
        }
        Receipt::Failed | Receipt::Succeeded => *source = HashSource::Fixed,
    }
    None
}
