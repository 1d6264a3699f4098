//! Buttons that pay from a wallet in the browser: there while there is something to pay, and a
//! wallet that can.

use tender_checkout_core::{Awaiting, Event, WalletFailure, WalletPayment};
use tender_element::dom::{El, el};

use super::awaiting::{is_open, is_wallet_asked, read};
use super::picture;
use crate::driver::Driver;
use crate::text::payment::Text;
use crate::text::{fill, say};
use crate::wallet::Wallet;

/// Appends the buttons, and what the wallet is doing.
pub(super) fn wallets(driver: Driver, awaiting: &Awaiting, payment: El) -> El {
    let Some(transfer) = awaiting.transfer() else {
        return payment;
    };
    driver.discover_wallets(transfer);
    let network = awaiting.choice.network.clone();
    let wallets = move || {
        let list = driver.wallets().list();
        if is_open(driver) { list } else { Vec::new() }
    };
    let stands =
        move || read(driver, |awaiting| awaiting.wallet_payment).unwrap_or(WalletPayment::Idle);
    let buttons = move |has_wallets: &bool| {
        has_wallets.then(|| {
            el("div")
                .class("wallets")
                .part("wallets")
                .live_list(wallets, move |wallet| [button(driver, wallet)])
        })
    };
    payment
        .live_children(move || !wallets().is_empty(), buttons)
        .live_children(stands, move |stands| progress(*stands, &network))
}

fn button(driver: Driver, wallet: &Wallet) -> El {
    let id = wallet.id;
    let label = match &wallet.name {
        Some(name) => fill(Text::PayFromWallet, &[("wallet", name)]),
        None => say(Text::PayFromYourWallet),
    };
    el("button")
        .attr("type", "button")
        .class("quiet")
        .part("pay-with")
        .attr_while(move || is_wallet_asked(driver), "aria-disabled", "true")
        .on("click", move |_| driver.dispatch(Event::WalletChosen(id)))
        .child(picture(
            wallet.name.as_deref().unwrap_or_default(),
            wallet.icon.as_deref(),
            "24",
        ))
        .child(el("span").text(&label))
}

/// What the wallet is doing, or why it did not pay.
fn progress(stands: WalletPayment, network: &str) -> Option<El> {
    let text = match stands {
        WalletPayment::Idle | WalletPayment::Failed(WalletFailure::Declined) => return None,
        WalletPayment::Asked(_) => {
            let asked = say(Text::WalletAsked);
            return Some(el("p").class("hint").attr("role", "status").text(&asked));
        }
        WalletPayment::Failed(WalletFailure::Busy) => Text::WalletBusy,
        WalletPayment::Failed(WalletFailure::NoAccount) => Text::WalletNoAccount,
        WalletPayment::Failed(WalletFailure::WrongNetwork) => Text::WalletWrongNetwork,
        WalletPayment::Failed(WalletFailure::Unclear) => Text::WalletUnclear,
    };
    let text = fill(text, &[("network", network)]);
    Some(el("p").class("problem").attr("role", "alert").text(&text))
}
