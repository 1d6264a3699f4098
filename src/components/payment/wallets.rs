//! Buttons that pay from a wallet in the browser, and what the wallet is doing.

use leptos::either::Either;
use leptos::prelude::*;
use tender_checkout_core::{Awaiting, Event, WalletFailure, WalletPayment};
use tender_element::components::Logo;
use tender_element::i18n::use_i18n;

use super::{Instructions, awaiting, is_open};
use crate::components::controls::ActionButton;
use crate::driver::use_driver;
use crate::text::Text;
use crate::wallet::Wallet;

/// Nothing where the payee or the amount cannot be handed to a wallet.
#[component]
pub(super) fn WalletButtons(instructions: Instructions) -> AnyView {
    let driver = use_driver();
    let Some(transfer) = instructions.with(Awaiting::transfer) else {
        return ().into_any();
    };
    driver.discover_wallets(transfer);
    let wallets = Memo::new(move |_| {
        if is_open(driver) {
            driver.wallets().list()
        } else {
            Vec::new()
        }
    });
    view! {
        <Show when=move || wallets.with(|wallets| !wallets.is_empty())>
            <div class="wallets" part="wallets">
                <For each=move || wallets.get() key=Wallet::clone let:wallet>
                    <WalletButton wallet/>
                </For>
            </div>
        </Show>
        <WalletProgress instructions/>
    }
    .into_any()
}

#[component]
fn WalletButton(wallet: Wallet) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let Wallet { id, name, icon } = wallet;
    let is_waiting = move || awaiting(driver, Awaiting::is_wallet_asked).unwrap_or_default();
    let label = {
        let name = name.clone();
        Signal::derive(move || match &name {
            Some(name) => i18n.format(Text::PayFromWallet, &[("wallet", name)]),
            None => i18n.t(Text::PayFromYourWallet),
        })
    };
    view! {
        <button type="button" class="quiet" part="pay-with"
            aria-disabled=move || is_waiting().then_some("true")
            on:click=move |_| driver.dispatch(Event::WalletChosen(id))>
            <Logo name=name.unwrap_or_default() src=icon size="24"/>
            <span>{label}</span>
        </button>
    }
    .into_any()
}

/// What the wallet is doing, or why it did not pay.
#[component]
fn WalletProgress(instructions: Instructions) -> AnyView {
    let driver = use_driver();
    let progress = Memo::new(move |_| {
        awaiting(driver, |awaiting| awaiting.wallet_payment).unwrap_or(WalletPayment::Idle)
    });
    view! {
        {move || match progress.get() {
            WalletPayment::Idle | WalletPayment::Failed(WalletFailure::Declined) => None,
            WalletPayment::Asked(_) => Some(Either::Left(view! { <WalletWaiting/> })),
            WalletPayment::Abandoned => {
                Some(Either::Right(view! { <WalletProblem text=Text::WalletAbandoned instructions/> }))
            }
            WalletPayment::Failed(failure) => {
                Some(Either::Right(view! { <WalletProblem text=failure_text(failure) instructions/> }))
            }
        }}
    }
    .into_any()
}

/// The wallet may never answer, so the buyer can stop waiting for it.
#[component]
fn WalletWaiting() -> AnyView {
    let i18n = use_i18n();
    view! {
        <p class="hint" role="status">{move || i18n.t(Text::WalletAsked)}</p>
        <div class="links">
            <ActionButton class="link" part="stop-waiting" text=Text::WalletStopWaiting
                event=Event::WalletAbandoned/>
        </div>
    }
    .into_any()
}

#[component]
fn WalletProblem(text: Text, instructions: Instructions) -> AnyView {
    view! { <p class="problem" role="alert">{instructions.text(text)}</p> }.into_any()
}

fn failure_text(failure: WalletFailure) -> Text {
    match failure {
        WalletFailure::Busy => Text::WalletBusy,
        WalletFailure::NoAccount => Text::WalletNoAccount,
        WalletFailure::WrongNetwork => Text::WalletWrongNetwork,
        WalletFailure::Declined | WalletFailure::Unclear => Text::WalletUnclear,
    }
}
