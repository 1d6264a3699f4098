//! Paying from a wallet in the browser, until it is asked to send the money. Each question to the wallet is an effect, and its
//! answer decides what follows. One request is open at a time, and none once the transaction is known.

use super::marking;
use crate::effect::{Effect, WalletTransfer};
use crate::state::{CheckoutPayment, PaymentProgress};
use crate::transfer::Transfer;
use crate::wallet::{
    Preparation, WalletAnswer, WalletFailure, WalletId, WalletPayment, WalletRequest, WalletStep,
};

/// The buyer wants to pay from a wallet.
pub(super) fn begin(payment: &mut CheckoutPayment, wallet: WalletId) -> Option<Effect> {
    if !payment.may_ask_wallet() || payment.transfer().is_none() {
        return None;
    }
    // A buyer who pays no longer wants to cancel.
    payment.cancelling.dismiss();
    // After the warning, a second press opens the wallet: the estimate may be wrong.
    let checks_funds = !matches!(
        payment.wallet.state,
        WalletPayment::Failed(WalletFailure::Short(_))
    );
    payment.wallet.request = WalletRequest(payment.wallet.request.0.saturating_add(1));
    let preparation = Preparation {
        wallet,
        checks_funds,
        number: 0,
        step: WalletStep::Connecting,
    };
    go_on(payment, preparation)
}

/// Waits for this step.
fn go_on(payment: &mut CheckoutPayment, mut preparation: Preparation) -> Option<Effect> {
    let question = preparation.step.question();
    preparation.number = preparation.number.saturating_add(1);
    let (wallet, number) = (preparation.wallet, preparation.number);
    payment.wallet.state = WalletPayment::Preparing(preparation);
    match question {
        Some(question) => Some(Effect::AskWallet {
            payment: transfer(payment, wallet)?,
            number,
            question,
        }),
        None => marking::retry(payment),
    }
}

/// What this wallet is asked to pay.
pub(super) fn transfer(payment: &CheckoutPayment, wallet: WalletId) -> Option<WalletTransfer> {
    Some(WalletTransfer {
        wallet,
        request: payment.wallet.request,
        transaction_id: payment.record.transaction_id.clone(),
        transfer: Box::new(payment.transfer()?),
    })
}

/// Handles the answer to the question with this number.
pub(super) fn answered(
    payment: &mut CheckoutPayment,
    number: u32,
    answer: Result<WalletAnswer, WalletFailure>,
) -> Option<Effect> {
    end_unwanted(payment);
    let WalletPayment::Preparing(preparation) = &payment.wallet.state else {
        return None;
    };
    if number != preparation.number {
        return None;
    }
    let preparation = preparation.clone();
    let is_tron = matches!(payment.transfer()?, Transfer::Tron(_));
    let step = match (preparation.step, answer) {
        (WalletStep::ReadingChainAgain(account), Ok(_)) => {
            return ask_to_send(payment, preparation.wallet, account);
        }
        (step, answer) => next(step, answer, is_tron, preparation.checks_funds),
    };
    match step {
        Ok(step) => go_on(
            payment,
            Preparation {
                step,
                ..preparation
            },
        ),
        Err(failure) => {
            payment.wallet.state = failed(failure);
            None
        }
    }
}

/// What follows this answer, unless the wallet is asked to send the money.
fn next(
    step: WalletStep,
    answer: Result<WalletAnswer, WalletFailure>,
    is_tron: bool,
    checks_funds: bool,
) -> Result<WalletStep, WalletFailure> {
    use WalletStep::{
        Building, Connecting, Marking, ReadingAccount, ReadingChain, ReadingChainAgain,
        ReadingFunds, SwitchingChain,
    };
    Ok(match (step, answer) {
        (Connecting, Ok(WalletAnswer::Account(account))) => ReadingChain(account, None),
        (ReadingChain(account, None), Err(_)) if !is_tron => SwitchingChain(account),
        // That it has switched is not trusted.
        (SwitchingChain(account), switched) => {
            let failure = switched.err().unwrap_or(WalletFailure::WrongNetwork);
            ReadingChain(account, Some(failure))
        }
        (ReadingChain(account, _), Ok(_)) if checks_funds => ReadingFunds(account),
        (ReadingChain(account, _) | ReadingFunds(account), Ok(_)) => Marking(account),
        (Building(account), Ok(_)) => ReadingAccount(account),
        (ReadingAccount(account), Ok(WalletAnswer::Account(now))) => {
            if now.eq_ignore_ascii_case(&account) {
                ReadingChainAgain(account)
            } else {
                ReadingChain(now, None)
            }
        }
        (ReadingChain(_, Some(failure)), Err(_)) | (_, Err(failure)) => return Err(failure),
        (Connecting | Marking(_) | ReadingAccount(_) | ReadingChainAgain(_), Ok(_)) => {
            return Err(WalletFailure::NoAccount);
        }
    })
}

/// Goes on with the wallet that waits for the mark, which is stored, or can't be.
pub(super) fn marked(payment: &mut CheckoutPayment) -> Option<Effect> {
    let WalletPayment::Preparing(preparation) = &payment.wallet.state else {
        return None;
    };
    let WalletStep::Marking(account) = &preparation.step else {
        return None;
    };
    let account = account.clone();
    let step = match payment.transfer()? {
        Transfer::Tron(_) => WalletStep::Building(account),
        Transfer::Evm(_) => WalletStep::ReadingAccount(account),
    };
    let preparation = Preparation {
        step,
        ..preparation.clone()
    };
    go_on(payment, preparation)
}

/// Everything that was asked for is still wanted: see [`answered`].
fn ask_to_send(payment: &mut CheckoutPayment, wallet: WalletId, account: String) -> Option<Effect> {
    let effect = Effect::AskToSend(transfer(payment, wallet)?, account);
    payment.wallet.state = WalletPayment::Asked(wallet);
    Some(effect)
}

/// What is left of a request that has sent nothing, or may have.
pub(super) fn failed(failure: WalletFailure) -> WalletPayment {
    match failure {
        WalletFailure::Declined => WalletPayment::Idle,
        failure => WalletPayment::Failed(failure),
    }
}

/// Ends a preparation once there is nothing to pay any more.
pub(super) fn end_unwanted(payment: &mut CheckoutPayment) {
    let is_preparing = matches!(payment.wallet.state, WalletPayment::Preparing(_));
    if is_preparing && !payment.asks_for_money() {
        payment.wallet.state = WalletPayment::Idle;
    }
}

/// Stops waiting for the wallet. If it was asked to send the money, it may still do so.
pub(super) fn abandon(payment: &mut CheckoutPayment) {
    match payment.wallet.state {
        WalletPayment::Preparing(_) => payment.wallet.state = WalletPayment::Idle,
        WalletPayment::Asked(wallet) => payment.wallet.state = WalletPayment::Abandoned(wallet),
        WalletPayment::Idle
        | WalletPayment::Abandoned(_)
        | WalletPayment::Sent(_)
        | WalletPayment::Signed(..)
        | WalletPayment::Failed(_) => {}
    }
}

/// The buyer says that nothing was sent. Only this page's own mark is removed: what others have marked is neither cancelled nor
/// replaced.
pub(super) fn say_unsent(payment: &mut CheckoutPayment) {
    if !payment.may_say_unsent() {
        return;
    }
    if payment.facts.progress() == PaymentProgress::Marked {
        payment.facts.is_marked = false;
        payment.facts.ignores_marks = true;
    }
    payment.facts.said_sent = false;
    payment.wallet.state = WalletPayment::Idle;
}
