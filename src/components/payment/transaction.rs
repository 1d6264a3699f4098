//! The buyer's transaction: a field for its hash, and the link to the block explorer.

use leptos::prelude::*;
use tender_checkout_core::asset::HashFormat;
use tender_checkout_core::{Awaiting, Event};
use tender_element::i18n::use_i18n;

use super::{Instructions, awaiting};
use crate::components::explorer::ExplorerLink;
use crate::driver::{Driver, use_driver};
use crate::text::Text;

#[component]
pub(super) fn TransactionInfo(instructions: Instructions) -> AnyView {
    let format = instructions.with(Awaiting::hash_format);
    view! {
        <div class="transaction">
            {format.map(|format| view! { <TransactionField instructions format/> })}
            <ExplorerLink/>
        </div>
    }
    .into_any()
}

/// A field for the hash of a transaction that the buyer sent outside this page.
#[component]
fn TransactionField(instructions: Instructions, format: HashFormat) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let has_text = RwSignal::new(false);
    let on_input = move |event| {
        let text = event_target_value(&event);
        has_text.set(!text.trim().is_empty());
        driver.dispatch(Event::HashEntered(text));
    };
    let is_invalid = Memo::new(move |_| has_text.get() && !is_transaction_known(driver));
    let problem = instructions.text(match format {
        HashFormat::Hex => Text::HashInvalid,
        HashFormat::PrefixedHex => Text::HashInvalidPrefixed,
    });
    view! {
        <details class="hash">
            <summary>{move || i18n.t(Text::AlreadySent)}</summary>
            <div class="field">
                <label for="hash">{move || i18n.t(Text::PasteHash)}</label>
                <input id="hash" type="text" dir="ltr" autocomplete="off" autocapitalize="off"
                    spellcheck="false" aria-describedby="hash-hint" on:input=on_input/>
                <p class="hint" id="hash-hint">{move || i18n.t(Text::PasteHashHint)}</p>
                {move || is_invalid.get().then(|| view! {
                    <p class="problem" role="alert" id="hash-problem">{problem}</p>
                }.into_any())}
            </div>
        </details>
    }
    .into_any()
}

fn is_transaction_known(driver: Driver) -> bool {
    awaiting(driver, |awaiting| awaiting.transaction().is_some()).unwrap_or_default()
}
