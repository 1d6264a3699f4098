//! The payment as a wallet app reads it: a QR code to scan, and a link that opens the app.

use leptos::prelude::*;
use tender_core::payment_uri::{PaymentUri, Standard};
use tender_core::{Awaiting, Choice, PaymentCodes, QrCode};

use super::awaiting::is_open;
use super::icon;
use crate::driver::Driver;
use crate::number;
use crate::text::{Text, fill, say};

/// Pixels on each side of a code, at the most: each module takes whole ones. The stylesheet keeps
/// as much room for every code.
const SIDE: i32 = 228;

/// What is shown where the wallet is an address of its network; nothing else can be read. Once the
/// buyer may have paid, nothing invites to pay again.
pub(super) fn scan(driver: Driver, awaiting: &Awaiting) -> Option<impl IntoView + use<>> {
    let PaymentCodes {
        address,
        with_amount,
    } = PaymentCodes::of(awaiting)?;
    let choice = awaiting.choice.clone();
    let amount = awaiting.send.amount.clone();
    let is_default = with_amount.as_ref().is_some_and(PaymentUri::is_default);
    let is_switched_on = RwSignal::new(is_default);
    let is_open = is_open(driver);
    let is_handheld = is_handheld();
    Some(move || {
        if !is_open.get() {
            return None;
        }
        let uri = with_amount.as_ref().filter(|_| is_switched_on.get());
        let held = uri.map_or(address.as_str(), |uri| &uri.uri);
        let shown_amount = number::group(&amount, 0, &driver.locale());
        Some(view! {
            <div class="scan" part="scan">
                <details open=!is_handheld>
                    <summary>{say(Text::QrCode)}</summary>
                    <div class="beside">
                        <div class="code">{code(held, uri, &choice)}</div>
                        <div>
                            {caption(uri, &choice)}
                            {with_amount.is_some().then(|| switch(is_switched_on))}
                        </div>
                    </div>
                </details>
                {uri.and_then(|uri| caution(uri.standard, &shown_amount, &choice))}
                {uri.map(link)}
            </div>
        })
    })
}

/// Whether the buyer points with a finger. Nobody can scan the screen that they hold: the code is
/// folded away there, and only there does the stylesheet show what unfolds it.
fn is_handheld() -> bool {
    let query = window().match_media("(pointer: coarse)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Dark on white, its quiet zone included, whatever the theme is: not every reader knows the
/// reverse.
fn code(held: &str, uri: Option<&PaymentUri>, choice: &Choice) -> Option<impl IntoView + use<>> {
    let QrCode { size, path } = QrCode::of(held)?;
    let side = size * (SIDE / size).max(1);
    let text = match uri {
        Some(_) => Text::QrCodeWithAmount,
        None => Text::QrCodeOfAddress,
    };
    let label = fill(text, &[("network", &choice.network)]);
    Some(view! {
        <svg class="qr" part="qr" role="img" aria-label=label
            viewBox=format!("0 0 {size} {size}") width=side height=side>
            <path fill="#fff" d=format!("M0 0h{size}v{size}h-{size}z")></path>
            <path fill="#000" d=path></path>
        </svg>
    })
}

/// What to do with the code, and on which network: the same address exists on several.
fn caption(uri: Option<&PaymentUri>, choice: &Choice) -> impl IntoView + use<> {
    let text = match uri {
        Some(_) => Text::ScanWithAmount,
        None => Text::ScanAddress,
    };
    view! {
        <p class="hint">{say(text)}</p>
        <p><b>{fill(Text::OnNetwork, &[("network", &choice.network)])}</b></p>
    }
}

fn switch(is_on: RwSignal<bool>) -> impl IntoView {
    view! {
        <label class="switch" part="with-amount">
            <input type="checkbox" role="switch" prop:checked=is_on
                on:change=move |event| is_on.set(event_target_checked(&event))/>
            <span>{say(Text::WithAmount)}</span>
        </label>
    }
}

/// What an app that reads less of the URI than there is would do with the money.
fn caution(standard: Standard, amount: &str, choice: &Choice) -> Option<impl IntoView + use<>> {
    let text = match standard {
        Standard::Bitcoin => return None,
        Standard::EvmCoin => Text::CautionCoin,
        Standard::EvmToken => Text::CautionToken,
    };
    let payment = [
        ("amount", amount),
        ("symbol", &choice.symbol),
        ("network", &choice.network),
    ];
    let text = fill(text, &payment);
    Some(view! { <p class="caution" role="alert">{icon::warning()}<span>{text}</span></p> })
}

/// To exactly what the code holds. An address alone has no link: there is no adopted form for it.
fn link(uri: &PaymentUri) -> impl IntoView + use<> {
    view! {
        <a class="open" part="open-wallet" href=uri.uri.clone()>
            {say(Text::OpenWallet)}{icon::outward()}
        </a>
    }
}
