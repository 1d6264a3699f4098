//! The transaction that the buyer has sent: a wallet has returned it, or the buyer has entered its hash.

use super::not_payable::reopen_as_closed;
use super::{emit, preparing, receipts};
use crate::asset::TransactionHash;
use crate::effect::{Effect, HostEvent};
use crate::state::{CheckoutPayment, PaymentProgress, Phase, PriorAttempt, Reason, State};
use crate::wallet::{WalletFailure, WalletPayment, WalletRequest, WalletTransaction, Watch};

/// Handles what became of a request to send the money for the payment `id`, also while the buyer is back at the form.
///
/// If a payment was sent and the page has left it as ended, it is shown again, so that the buyer does not
/// pay twice.
pub(super) fn finished(
    state: &mut State,
    id: &str,
    request: WalletRequest,
    result: Result<WalletTransaction, WalletFailure>,
) -> Vec<Effect> {
    let Some((payment, has_ended)) = find(state, id) else {
        return Vec::new();
    };
    let mut effects = finish(payment, request, result);
    if has_ended && payment.transaction().is_some() {
        let (phase, follow) = reopen_as_closed(payment.clone());
        state.context.prior = None;
        state.phase = phase;
        effects.extend(follow);
    }
    effects
}

/// The payment `id`, also while the buyer is back at the form, and whether the page has left it as ended.
pub(super) fn find<'a>(state: &'a mut State, id: &str) -> Option<(&'a mut CheckoutPayment, bool)> {
    let (payment, has_ended) = match (&mut state.phase, &mut state.context.prior) {
        (Phase::NotPayable(reason, payment), _) => (&mut **payment, *reason == Reason::Cancelled),
        (Phase::Awaiting(payment), _) => (&mut **payment, false),
        (_, Some(PriorAttempt::Ended(payment))) => (&mut **payment, true),
        (_, prior) => (prior.as_mut()?.open_mut()?, false),
    };
    (payment.record.transaction_id == id).then_some((payment, has_ended))
}

/// Stores the hash of a sent transaction, also if it arrives late.
fn finish(
    payment: &mut CheckoutPayment,
    request: WalletRequest,
    result: Result<WalletTransaction, WalletFailure>,
) -> Vec<Effect> {
    if request.0 > payment.wallet.request.0 {
        return Vec::new();
    }
    let (asked, is_waiting) = match payment.wallet.state {
        WalletPayment::Asked(wallet) => (Some(wallet), true),
        WalletPayment::Abandoned(wallet) => (Some(wallet), false),
        WalletPayment::Idle
        | WalletPayment::Preparing(_)
        | WalletPayment::Sent(_)
        | WalletPayment::Signed(..)
        | WalletPayment::Failed(_) => (None, false),
    };
    let asked = asked.filter(|_| request == payment.wallet.request);
    let watch = |expiration| {
        asked.map(|wallet| Watch {
            wallet: Some(wallet),
            expiration,
            reads: 0,
        })
    };
    let result = result.and_then(|transaction| {
        let (text, signed) = match transaction {
            WalletTransaction::Sent(hash) => (hash, None),
            WalletTransaction::Signed { hash, expiration } => (hash, Some(expiration)),
        };
        let hash = payment.read_hash(&text).ok_or(WalletFailure::Unclear)?;
        Ok((hash, signed))
    });
    let (hash, signed) = match result {
        Ok(transaction) => transaction,
        Err(failure) => {
            if asked.is_some() {
                payment.wallet.state = preparing::failed(failure);
            }
            return Vec::new();
        }
    };
    let mut effects = Vec::new();
    let watch = watch(signed.flatten());
    if signed.is_some() {
        let (Some(watch), Some(wallet)) = (watch, asked) else {
            return effects;
        };
        if !is_waiting || !payment.asks_for_money() {
            payment.wallet.state = WalletPayment::Signed(hash, watch);
            effects.extend(receipts::read_next(payment));
            return effects;
        }
        let signed = preparing::transfer(payment, wallet);
        effects.extend(signed.map(Effect::Broadcast));
    }
    if asked.is_some() {
        payment.wallet.state = WalletPayment::Idle;
    }
    effects.extend(set_transaction(payment, hash, false));
    if let Some(watch) = watch.filter(|_| is_waiting) {
        payment.wallet.state = WalletPayment::Sent(watch);
        effects.extend(receipts::read_next(payment));
    }
    effects
}

/// The buyer entered a text as the hash of their transaction.
pub(super) fn enter_hash(payment: &mut CheckoutPayment, text: &str) -> Option<Effect> {
    if !payment.facts.may_edit_hash() {
        return None;
    }
    let may_edit = matches!(
        payment.facts.progress(),
        PaymentProgress::Open | PaymentProgress::Sent
    );
    set_transaction(payment, payment.read_hash(text)?, may_edit)
}

/// The buyer removed the hash that they had entered.
pub(super) fn remove_hash(payment: &mut CheckoutPayment) {
    if payment.facts.may_edit_hash() {
        payment.facts.transaction = None;
    }
}

/// Stores the hash of the buyer's transaction.
pub(super) fn set_transaction(
    payment: &mut CheckoutPayment,
    hash: TransactionHash,
    may_edit: bool,
) -> Option<Effect> {
    let facts = &mut payment.facts;
    let is_known = facts.transaction.as_ref() == Some(&hash);
    if is_known && (may_edit || !facts.may_edit_hash) {
        return None;
    }
    let explorer = payment.choice.explorer.as_ref();
    let event = HostEvent::Transaction {
        hash: hash.as_str().to_owned(),
        url: explorer.map(|explorer| explorer.transaction(&hash)),
    };
    facts.transaction = Some(hash);
    facts.may_edit_hash = may_edit;
    // A transaction that was watched before is another one.
    payment.wallet.end_watch();
    (!is_known).then(|| emit(event))
}
