//! Buttons that pay from a wallet in the browser: there while there is something to pay, and a
//! wallet that can.

use leptos::prelude::*;
use tender_core::{Awaiting, Event, WalletFailure, WalletPayment};

use super::awaiting::{is_open, is_wallet_asked, read};
use crate::driver::Driver;
use crate::text::{Text, fill, say};
use crate::wallet::Wallet;

pub(super) fn wallets(driver: Driver, awaiting: &Awaiting) -> impl IntoView + use<> {
    let transfer = awaiting.transfer()?;
    driver.discover_wallets(transfer);
    let network = awaiting.choice.network.clone();
    let is_open = is_open(driver);
    let shown = move || {
        let wallets = driver.wallets().list();
        (is_open.get() && !wallets.is_empty()).then(|| {
            view! {
                <div class="wallets" part="wallets">
                    {wallets.into_iter().map(|wallet| button(driver, wallet)).collect::<Vec<_>>()}
                </div>
            }
        })
    };
    Some(view! {
        {shown}
        {progress(driver, network)}
    })
}

fn button(driver: Driver, wallet: Wallet) -> impl IntoView {
    let Wallet { id, name, icon } = wallet;
    let label = match &name {
        Some(name) => fill(Text::PayFromWallet, &[("wallet", name)]),
        None => say(Text::PayFromYourWallet),
    };
    let monogram: String = name.iter().flat_map(|name| name.chars()).take(1).collect();
    let has_icon = RwSignal::new(true);
    let icon = move || {
        let icon = icon.clone().filter(|_| has_icon.get());
        icon.map(|icon| {
            view! { <img src=icon alt="" width="24" height="24" on:error=move |_| has_icon.set(false)/> }
        })
    };
    view! {
        <button type="button" class="quiet" part="pay-with"
            aria-disabled=move || is_wallet_asked(driver).then_some("true")
            on:click=move |_| driver.dispatch(Event::WalletChosen(id))>
            <span class="logo" aria-hidden="true">{monogram}{icon}</span>
            <span>{label}</span>
        </button>
    }
}

/// What the wallet is doing, or why it did not pay.
fn progress(driver: Driver, network: String) -> impl IntoView {
    let stands = Memo::new(move |_| {
        read(driver, |awaiting| awaiting.wallet_payment).unwrap_or(WalletPayment::Idle)
    });
    move || {
        let text = match stands.get() {
            WalletPayment::Idle | WalletPayment::Failed(WalletFailure::Declined) => return None,
            WalletPayment::Asked(_) => {
                let asked = view! { <p class="hint" role="status">{say(Text::WalletAsked)}</p> };
                return Some(asked.into_any());
            }
            WalletPayment::Failed(WalletFailure::Busy) => Text::WalletBusy,
            WalletPayment::Failed(WalletFailure::NoAccount) => Text::WalletNoAccount,
            WalletPayment::Failed(WalletFailure::WrongNetwork) => Text::WalletWrongNetwork,
            WalletPayment::Failed(WalletFailure::Unclear) => Text::WalletUnclear,
        };
        let text = fill(text, &[("network", &network)]);
        Some(view! { <p class="problem" role="alert">{text}</p> }.into_any())
    }
}
