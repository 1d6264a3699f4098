//! Buttons that pay from a wallet in the browser, and the progress of the wallet request.

use leptos::prelude::*;
use tender_checkout_core::{
    CheckoutPayment, PaymentEvent, Shortfall, WalletFailure, WalletPayment,
};
use tender_element::components::Logo;
use tender_element::i18n::use_i18n;
use tender_element::number;
use tender_protocol::Amount;

use super::PaymentSnapshot;
use crate::components::controls::{ActionButton, Caution};
use crate::components::{payment_is, payment_memo};
use crate::driver::use_driver;
use crate::press::Press;
use crate::text::Text;
use crate::wallet::Wallet;

/// Shows nothing if a wallet can't make this payment, for example because the token's decimals are unknown.
#[component]
pub(super) fn WalletButtons(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let Some(transfer) = snapshot.with(CheckoutPayment::transfer) else {
        return ().into_any();
    };
    driver.discover_wallets(transfer);
    view! {
        // Not a `<For>`, whose code would take 4 KB of the module: a wallet that is found later is only appended.
        {move || {
            let wallets = driver.wallets().list().into_iter();
            let buttons: Vec<_> = wallets.map(|wallet| view! { <WalletButton wallet/> }.into_any()).collect();
            (!buttons.is_empty()).then(|| view! {
                <div class="wallets" part="wallets">{buttons}</div>
            }.into_any())
        }}
        <WalletProgress snapshot/>
    }
    .into_any()
}

#[component]
fn WalletButton(wallet: Wallet) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let Wallet { id, name, icon, .. } = wallet;
    let label = {
        let name = name.clone();
        Signal::derive(move || match &name {
            Some(name) => i18n.format(Text::PayFromWallet, &[("wallet", name)]),
            None => i18n.t(Text::PayFromYourWallet),
        })
    };
    view! {
        <button type="button" class="quiet" part="pay-with"
            aria-disabled=move || (!payment_is(driver, CheckoutPayment::may_ask_wallet)).then_some("true")
            on:click=move |_| driver.dispatch(PaymentEvent::WalletChosen(id))>
            <Logo name=name.unwrap_or_default() src=icon size="24"/>
            <span>{move || label.get()}</span>
        </button>
    }
    .into_any()
}

/// Whether the wallet request is open, or why it failed.
#[component]
fn WalletProgress(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let problem = payment_memo(driver, problem);
    let is_asked = payment_memo(driver, |payment| payment.wallet.is_asked());
    view! {
        {move || is_asked.get().then(|| view! { <WalletWaiting/> })}
        {move || problem.get().map(|problem| {
            let text = match problem {
                Problem::Text(text) => snapshot.text(text),
                Problem::Amount => Signal::derive(move || {
                    let (amount, symbol) = snapshot.with(|it| {
                        let amount = number::format(&it.send.amount, 0, &driver.locale());
                        (amount, it.choice.symbol.clone())
                    });
                    i18n.format(Text::WalletShortAmount, &[("amount", &amount), ("symbol", &symbol)])
                }),
                Problem::Fee(fee, coin) => Signal::derive(move || {
                    let fee = number::format(&fee, 0, &driver.locale());
                    i18n.format(Text::WalletShortFee, &[("fee", &fee), ("coin", coin)])
                }),
            };
            view! { <Caution text role="alert" is_boxed=true/> }
        })}
    }
    .into_any()
}

/// Why nothing is known to be sent.
#[derive(Clone, PartialEq)]
enum Problem {
    Text(Text),
    /// The account has less than the amount.
    Amount,
    /// The account needs this for the fee, in this coin.
    Fee(Amount, &'static str),
}

fn problem(payment: &CheckoutPayment) -> Option<Problem> {
    match &payment.wallet.state {
        WalletPayment::Failed(WalletFailure::Short(Shortfall::Amount)) => Some(Problem::Amount),
        WalletPayment::Failed(WalletFailure::Short(shortfall @ Shortfall::Fee(_))) => {
            Some(Problem::Fee(shortfall.fee()?, payment.fee_coin()?))
        }
        payment => problem_text(payment).map(Problem::Text),
    }
}

/// What the page waits for. The buyer is asked to confirm only once the wallet shows the payment.
fn waiting_text(payment: &CheckoutPayment) -> Option<Text> {
    match &payment.wallet.state {
        WalletPayment::Preparing(preparation) if preparation.step.may_ask_buyer() => {
            Some(Text::WalletConnecting)
        }
        WalletPayment::Preparing(_) => Some(Text::WalletChecking),
        WalletPayment::Asked(_) => Some(Text::WalletAsked),
        WalletPayment::Idle
        | WalletPayment::Abandoned(_)
        | WalletPayment::Sent(_)
        | WalletPayment::Signed(..)
        | WalletPayment::Failed(_) => None,
    }
}

/// The wallet may never answer, so the buyer can stop waiting for it.
#[component]
fn WalletWaiting() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let text = payment_memo(driver, waiting_text);
    view! {
        <p class="hint" role="status">
            {move || text.get().map(|text| i18n.t(text))}
        </p>
        <div class="links">
            <ActionButton class="link" part="stop-waiting" text=Text::WalletStopWaiting
                press=Press::AbandonWallet/>
        </div>
    }
    .into_any()
}

fn problem_text(payment: &WalletPayment) -> Option<Text> {
    match payment {
        WalletPayment::Idle
        | WalletPayment::Preparing(_)
        | WalletPayment::Asked(_)
        | WalletPayment::Sent(_)
        | WalletPayment::Failed(WalletFailure::Declined | WalletFailure::Short(_)) => None,
        WalletPayment::Abandoned(_) => Some(Text::WalletAbandoned),
        WalletPayment::Failed(WalletFailure::NotAsked) => Some(Text::WalletNotAsked),
        WalletPayment::Failed(WalletFailure::Busy) => Some(Text::WalletBusy),
        WalletPayment::Failed(WalletFailure::NoAccount) => Some(Text::WalletNoAccount),
        WalletPayment::Failed(WalletFailure::WrongNetwork) => Some(Text::WalletWrongNetwork),
        WalletPayment::Failed(WalletFailure::NotSent) => Some(Text::WalletNotSent),
        WalletPayment::Failed(WalletFailure::TransactionFailed) => Some(Text::WalletFailed),
        WalletPayment::Signed(..) | WalletPayment::Failed(WalletFailure::Unclear) => {
            Some(Text::WalletUnclear)
        }
    }
}
