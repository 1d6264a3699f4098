//! The buyer's transaction: a field for its hash, and the link to the block explorer.

use leptos::prelude::*;
use tender_checkout_core::asset::HashFormat;
use tender_checkout_core::{Awaiting, Event};
use tender_element::i18n::use_i18n;

use super::{Instructions, awaiting};
use crate::components::explorer::ExplorerLink;
use crate::driver::{Driver, use_driver};
use crate::hosted::{Hosted, hosted, separator};
use crate::text::Text;

#[component]
pub(super) fn TransactionInfo(instructions: Instructions) -> AnyView {
    let format = instructions.with(Awaiting::hash_format);
    view! {
        <div class="transaction">
            {format.map(|format| match hosted() {
                Some(hosted) => view! { <HostedField instructions format hosted/> }.into_any(),
                None => view! { <TransactionField instructions format/> }.into_any(),
            })}
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
    let problem = problem(instructions, format);
    view! {
        <details class="hash">
            <summary>{move || i18n.t(Text::AlreadySent)}</summary>
            <div class="field">
                <label for="hash">{move || i18n.t(Text::PasteHash)}</label>
                <input id="hash" type="text" dir="ltr" autocomplete="off" autocapitalize="off"
                    spellcheck="false" aria-invalid=move || is_invalid.get().then_some("true")
                    aria-describedby=move || if is_invalid.get() { "hash-problem" } else { "hash-hint" }
                    on:input=on_input/>
                {move || if is_invalid.get() {
                    view! { <p class="problem" role="alert" id="hash-problem">{problem}</p> }.into_any()
                } else {
                    view! { <p class="hint" id="hash-hint">{move || i18n.t(Text::PasteHashHint)}</p> }.into_any()
                }}
            </div>
        </details>
    }
    .into_any()
}

/// The field on a page of its own, which does not refresh itself, so that a half-entered hash is not lost; elsewhere a link
/// to that page.
#[component]
fn HostedField(instructions: Instructions, format: HashFormat, hosted: Hosted) -> AnyView {
    let i18n = use_i18n();
    let Some(entered) = hosted.hash.clone() else {
        return view! {
            <a class="link" href=hosted.view("sent")>{i18n.t(Text::AlreadySent)}</a>
            {separator()}
        }
        .into_any();
    };
    let is_invalid = !entered.trim().is_empty();
    let described_by = if is_invalid {
        "hash-problem"
    } else {
        "hash-hint"
    };
    let note = if is_invalid {
        view! { <p class="problem" role="alert" id="hash-problem">{problem(instructions, format)}</p> }.into_any()
    } else {
        view! { <p class="hint" id="hash-hint">{i18n.t(Text::PasteHashHint)}</p> }.into_any()
    };
    let host = instructions.with(|it| {
        let explorer = it.choice.explorer.as_ref();
        explorer.map(|explorer| explorer.host().to_owned())
    });
    let submit = i18n.format(
        Text::ExplorerTransaction,
        &[("host", &host.unwrap_or_default())],
    );
    view! {
        <form method="post" class="field">
            <label for="hash">{i18n.t(Text::PasteHash)}</label>
            <input id="hash" name="hash" type="text" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false"
                value=entered aria-invalid=is_invalid.then_some("true") aria-describedby=described_by/>
            {note}
            <div class="buttons">
                <button class="quiet" name="action" value="sent">{submit}</button>
                <a class="quiet" href=hosted.address>{i18n.t(Text::BackToPayment)}</a>
            </div>
        </form>
    }
    .into_any()
}

/// That a text is not a transaction hash.
fn problem(instructions: Instructions, format: HashFormat) -> Signal<String> {
    instructions.text(match format {
        HashFormat::Hex => Text::HashInvalid,
        HashFormat::PrefixedHex => Text::HashInvalidPrefixed,
    })
}

fn is_transaction_known(driver: Driver) -> bool {
    awaiting(driver, |awaiting| awaiting.transaction().is_some()).unwrap_or_default()
}
