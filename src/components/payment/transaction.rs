//! The buyer's transaction: a field for its hash, and the link to the block explorer.

use leptos::html::Input;
use leptos::prelude::*;
use tender_checkout_core::asset::Network;
use tender_checkout_core::{CheckoutPayment, PaymentEvent};
use tender_element::focus::focus;
use tender_element::i18n::use_i18n;

use super::PaymentSnapshot;
use crate::components::ask_again::{AskAgain, HostedAskAgain, Question};
use crate::components::explorer::ExplorerLink;
use crate::components::{is_transaction_known, payment_memo, with_payment};
use crate::driver::use_driver;
use crate::hosted::{ASKED, FormAction, HostedPage, hosted_page, separator};
use crate::text::Text;

/// The digits of a transaction hash, of every network that is known.
const HASH_LENGTH: usize = 64;

#[component]
pub(super) fn TransactionInfo(snapshot: PaymentSnapshot) -> AnyView {
    let network = snapshot.with(CheckoutPayment::network);
    view! {
        <div class="transaction">
            {network.map(|network| match hosted_page() {
                Some(hosted) => view! { <HostedField snapshot network hosted/> }.into_any(),
                None => view! { <TransactionField snapshot network/> }.into_any(),
            })}
            <ExplorerLink/>
        </div>
    }
    .into_any()
}

/// A field for the hash of a transaction that the buyer sent outside this page, as long as it may be changed.
#[component]
fn TransactionField(snapshot: PaymentSnapshot, network: Network) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let known = untrack(|| {
        let hash =
            |payment: &CheckoutPayment| payment.transaction().map(|hash| hash.as_str().to_owned());
        with_payment(driver, hash).flatten()
    });
    let text = RwSignal::new(known.unwrap_or_default());
    let field = NodeRef::new();
    let may_edit = payment_memo(driver, |payment| payment.facts.may_edit_hash());
    let is_known = payment_memo(driver, is_transaction_known);
    view! {
        {move || may_edit.get().then(|| view! {
            <details class="hash">
                <summary>{move || i18n.t(if is_known.get() { Text::ChangeHash } else { Text::AlreadySent })}</summary>
                <div class="field"><HashField snapshot network text field/></div>
                {move || is_known.get().then(|| view! { <RemoveHash text field/> })}
            </details>
        }.into_any())}
    }
    .into_any()
}

/// The field itself, and beside it what to enter, or that `text` is not a transaction hash.
#[component]
fn HashField(
    snapshot: PaymentSnapshot,
    network: Network,
    text: RwSignal<String>,
    field: NodeRef<Input>,
) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let name = hosted_page().map(|_| "hash");
    let on_input = move |event| {
        let typed = event_target_value(&event);
        text.set(typed.clone());
        driver.dispatch(PaymentEvent::HashEntered(typed));
    };
    // Not while the buyer is still typing.
    let is_complete = RwSignal::new(!text.read_untracked().is_empty());
    let is_invalid = Memo::new(move |_| {
        let typed = text.read();
        let is_whole = is_complete.get() || typed.len() >= HASH_LENGTH;
        is_whole && !typed.trim().is_empty() && snapshot.with(|it| it.read_hash(&typed).is_none())
    });
    let problem = snapshot.text(if network.hash_prefix().is_empty() {
        Text::HashInvalid
    } else {
        Text::HashInvalidPrefixed
    });
    view! {
        <label for="hash">{move || i18n.t(Text::PasteHash)}</label>
        <input id="hash" name=name type="text" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false"
            aria-invalid=move || is_invalid.get().then_some("true")
            aria-describedby=move || Some(if is_invalid.get() { "hash-problem" } else { "hash-hint" })
            value=text.get_untracked() prop:value=move || text.get() node_ref=field
            on:input=on_input on:change=move |_| is_complete.set(true)/>
        {move || if is_invalid.get() {
            view! { <p class="problem" role="alert" id="hash-problem">{move || problem.get()}</p> }.into_any()
        } else {
            view! { <p class="hint" id="hash-hint">{move || i18n.t(Text::PasteHashHint)}</p> }.into_any()
        }}
    }
    .into_any()
}

const REMOVAL: Question = Question {
    button: Text::RemoveHash,
    risk: Text::RemoveHashSure,
    no: Text::RemoveHashNo,
    yes: Text::RemoveHashYes,
};

/// Removes the entered hash. Then `text`, the field's, is empty, and the field has the focus.
#[component]
fn RemoveHash(text: RwSignal<String>, field: NodeRef<Input>) -> AnyView {
    let driver = use_driver();
    let act = Callback::new(move |()| {
        text.set(String::new());
        if let Some(field) = field.get_untracked() {
            focus(&field);
        }
        driver.dispatch(PaymentEvent::HashRemoved);
    });
    view! { <AskAgain question=REMOVAL part="remove-hash" act/> }.into_any()
}

/// The field on a page of its own, which does not refresh itself, so that a half-entered hash is not lost; elsewhere a link
/// to that page.
#[component]
fn HostedField(snapshot: PaymentSnapshot, network: Network, hosted: HostedPage) -> AnyView {
    let i18n = use_i18n();
    let is_known = snapshot.with(is_transaction_known);
    if hosted.asks_to_remove && is_known {
        return view! { <HostedAskAgain question=REMOVAL hosted/> }.into_any();
    }
    let Some(entered) = hosted.hash.clone() else {
        let text = if is_known {
            Text::ChangeHash
        } else {
            Text::AlreadySent
        };
        return view! {
            <a class="link" href=hosted.view("sent")>{i18n.t(text)}</a>
            {separator()}
            {is_known.then(|| view! { <HostedAskAgain question=REMOVAL hosted/> })}
        }
        .into_any();
    };
    let text = RwSignal::new(entered);
    view! {
        <form method="post" class="field" id=ASKED>
            <HashField snapshot network text field=NodeRef::new()/>
            <div class="buttons">
                <button class="quiet" name="action" value=FormAction::EnterHash.as_str()>{i18n.t(Text::SentYes)}</button>
                <a class="quiet" href=hosted.address>{i18n.t(Text::BackToPayment)}</a>
            </div>
        </form>
    }
    .into_any()
}
