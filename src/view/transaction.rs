//! The buyer's transaction: a field to paste its hash, and the way to the block explorer.

use leptos::prelude::*;
use tender_core::Event;
use tender_core::rail::HashFormat;

use super::awaiting::read;
use super::icon;
use crate::driver::Driver;
use crate::text::{Text, fill, say};

pub(super) fn transaction(driver: Driver) -> impl IntoView {
    let format = read(driver, tender_core::Awaiting::hash_format).flatten();
    view! {
        <div class="transaction">
            {format.map(|format| hash_field(driver, format))}
            {explorer(driver)}
        </div>
    }
}

fn hash_field(driver: Driver, format: HashFormat) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let is_known = Memo::new(move |_| {
        read(driver, |awaiting| awaiting.transaction().is_some()).unwrap_or_default()
    });
    let network = read(driver, |awaiting| awaiting.choice.network.clone()).unwrap_or_default();
    let wrong = move || {
        let is_wrong = !is_known.get() && !typed.get().trim().is_empty();
        let text = match format {
            HashFormat::Hex => Text::HashInvalid,
            HashFormat::PrefixedHex => Text::HashInvalidPrefixed,
        };
        is_wrong.then(|| {
            view! {
                <p class="problem" role="alert" id="hash-problem">
                    {fill(text, &[("network", &network)])}
                </p>
            }
        })
    };
    let on_input = move |event| {
        let text = event_target_value(&event);
        typed.set(text.clone());
        driver.dispatch(Event::HashPasted(text));
    };
    view! {
        <details class="hash">
            <summary>{say(Text::AlreadySent)}</summary>
            <div class="field">
                <label for="hash">{say(Text::PasteHash)}</label>
                <input id="hash" type="text" dir="ltr" autocomplete="off" autocapitalize="off"
                    spellcheck="false" aria-describedby="hash-hint" on:input=on_input/>
                <p class="hint" id="hash-hint">{say(Text::PasteHashHint)}</p>
                {wrong}
            </div>
        </details>
    }
}

/// The link follows the transaction once its hash is known; until then it leads to the explorer.
fn explorer(driver: Driver) -> impl IntoView {
    let link = Memo::new(move |_| {
        read(driver, |awaiting| {
            let host = awaiting.choice.explorer.as_ref()?.host().to_owned();
            Some((
                awaiting.explorer_url()?,
                host,
                awaiting.transaction().is_some(),
            ))
        })
        .flatten()
    });
    move || {
        link.get().map(|(url, host, is_known)| {
            let text = if is_known {
                Text::ExplorerTransaction
            } else {
                Text::Explorer
            };
            view! {
                <a class="explorer" part="explorer" href=url target="_blank"
                    rel="noopener noreferrer">
                    {fill(text, &[("host", &host)])}{icon::outward()}
                </a>
            }
        })
    }
}
