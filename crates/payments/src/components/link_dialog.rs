use leptos::html::Input;
use leptos::prelude::*;
use tender_element::components::{CopyButton, dynamic_text};
use tender_element::page::prevent_default;
use tender_payments_core::{Event, LinkDialog as Dialog, LinkInput, LinkProblem, link_days};
use tender_protocol::{LinkLimits, NewOrder, PaymentLink, TokenCode};

use super::amount::{CENTS, TokenAmount, symbol, token_name};
use super::controls::{ActionButton, Select};
use super::modal::{CloseButton, Modal, initial_focus};
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// How long a link is valid unless the merchant chooses another time, in days.
const USUAL_DAYS: u16 = 7;

/// The dialog for creating a payment link: a form, and the link.
#[component]
pub(super) fn LinkDialog() -> AnyView {
    let driver = use_driver();
    let is_open = driver.memo(|dashboard| dashboard.link != Dialog::Closed);
    let signed = driver.memo(|dashboard| match &dashboard.link {
        Dialog::Signed(order, signed) => Some((order.clone(), signed.clone())),
        Dialog::Closed | Dialog::Form(_) | Dialog::Signing(_) => None,
    });
    // While there is no link, the form stays, and with it what was typed.
    let content = move || match signed.get() {
        Some((order, signed)) => view! { <Link order signed/> }.into_any(),
        None if is_open.get() => {
            let limits =
                untrack(|| driver.with_dashboard(|dashboard| dashboard.link_limits().cloned()));
            limits.map(|limits| view! { <LinkForm limits/> }).into_any()
        }
        None => ().into_any(),
    };
    view! {
        <Modal part="link-dialog" heading="link" is_open dismiss=Event::LinkClosed>
            {content}
        </Modal>
    }
    .into_any()
}

#[component]
fn LinkForm(limits: LinkLimits) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let tokens: Vec<_> = limits.max_quantity.keys().cloned().collect();
    let days = link_days(limits.max_days);
    let token = RwSignal::new(0);
    let usual = days.iter().position(|days| *days == USUAL_DAYS);
    let day = RwSignal::new(usual.unwrap_or(days.len() - 1));
    let names = tokens.iter().map(|token| token_name(token.as_str()));
    let names: Vec<_> = names.collect();
    let times = days.iter().map(|days| valid_for(l10n, *days));
    let times: Vec<_> = times.collect();
    let tokens = StoredValue::new(tokens);
    let days = StoredValue::new(days);
    let chosen = move || tokens.with_value(|tokens| tokens.get(token.get()).cloned());
    let (price, invoice) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let max = Memo::new(move |_| {
        let token = chosen();
        token.map_or_else(String::new, |token| highest(l10n, &limits, &token))
    });
    let problem = driver.memo(|dashboard| match &dashboard.link {
        Dialog::Form(problem) => problem.clone(),
        Dialog::Closed | Dialog::Signing(_) | Dialog::Signed(..) => None,
    });
    let is_wrong = move |wrong: fn(&LinkProblem) -> bool| {
        move || problem.with(|problem| problem.as_ref().is_some_and(wrong).then_some("true"))
    };
    let explanation = move || {
        problem.get().map(|problem| match problem {
            LinkProblem::Price => price_wrong(l10n),
            LinkProblem::PriceTooHigh => max.get_untracked(),
            LinkProblem::Invoice => l10n.t(Text::LinkInvoiceMissing),
            LinkProblem::Failed(failure) => {
                l10n.format(Text::LinkFailed, &[("reason", &failure.message)])
            }
        })
    };
    let is_signing = driver.memo(|dashboard| matches!(dashboard.link, Dialog::Signing(_)));
    let submit = move || {
        let (Some(price), Some(invoice), Some(token)) = (
            price.get_untracked(),
            invoice.get_untracked(),
            untrack(chosen),
        ) else {
            return;
        };
        driver.dispatch(Event::LinkSubmitted(LinkInput {
            token,
            quantity: price.value(),
            decimal_separator: l10n.decimal_separator(),
            invoice_number: invoice.value(),
            days: days
                .with_value(|days| days.get(day.get_untracked()).copied())
                .unwrap_or(USUAL_DAYS),
        }));
    };
    view! {
        <h3 id="link">{l10n.t(Text::LinkCreate)}</h3>
        <form
            class="link-form"
            novalidate
            autocomplete="off"
            on:submit=prevent_default(submit)
        >
            <div class="field">
                <label for="link-price">{l10n.t(Text::Price)}</label>
                <input
                    id="link-price"
                    inputmode="decimal"
                    aria-required="true"
                    aria-describedby="link-max"
                    aria-invalid=is_wrong(|problem| {
                        matches!(problem, LinkProblem::Price | LinkProblem::PriceTooHigh)
                    })
                    node_ref=price
                    use:initial_focus
                />
                <p class="hint" id="link-max">{move || max.get()}</p>
            </div>
            <Select
                id="link-token"
                label=Text::Token
                options=Memo::new(move |_| names.clone())
                chosen=Memo::new(move |_| Some(token.get()))
                on_change=Callback::new(move |index: Option<usize>| token.set(index.unwrap_or_default()))
            />
            <div class="field">
                <label for="link-invoice">{l10n.t(Text::Invoice)}</label>
                <input
                    id="link-invoice"
                    maxlength="128"
                    spellcheck="false"
                    aria-required="true"
                    aria-describedby="link-invoice-hint"
                    aria-invalid=is_wrong(|problem| matches!(problem, LinkProblem::Invoice))
                    node_ref=invoice
                />
                <p class="hint" id="link-invoice-hint">{l10n.t(Text::LinkInvoiceHint)}</p>
            </div>
            <Select
                id="link-days"
                label=Text::LinkValidFor
                options=Memo::new(move |_| times.clone())
                chosen=Memo::new(move |_| Some(day.get()))
                on_change=Callback::new(move |index: Option<usize>| day.set(index.unwrap_or_default()))
            />
            {move || explanation().map(|text| view! { <p class="problem" role="alert">{text}</p> })}
            <div class="buttons">
                <ActionButton class="quiet" part="close" text=Text::Close event=Event::LinkClosed/>
                // In a frame that is sandboxed without `allow-forms`, the browser submits no form, so the click handler does it.
                <button
                    type="submit"
                    class="primary"
                    part="submit"
                    aria-disabled=move || is_signing.get().then_some("true")
                    on:click=prevent_default(submit)
                >
                    {l10n.t(Text::LinkCreate)}
                </button>
            </div>
        </form>
    }
    .into_any()
}

/// The link that was created.
#[component]
fn Link(order: NewOrder, signed: PaymentLink) -> AnyView {
    let l10n = use_localization();
    let days = order.expires.trim_end_matches('d').parse();
    let days = days.map_or_else(|_| order.expires.clone(), |days| valid_for(l10n, days));
    let title = l10n.format(Text::LinkTitle, &[("invoice", &order.invoice_number)]);
    let url = signed.url.clone();
    view! {
        <h3 id="link" use:dynamic_text=Signal::stored(title)></h3>
        <p><TokenAmount amount=order.quantity token=order.token.to_string() shows_network=true/></p>
        <p class="code"><bdi dir="ltr" translate="no" part="link">{signed.url}</bdi></p>
        <p class="hint">{l10n.format(Text::LinkHint, &[("days", &days)])}</p>
        <div class="contact">
            <CopyButton
                label=l10n.t(Text::LinkCopy)
                value=url
                text=Signal::stored(l10n.t(Text::LinkCopy))
                part="copy-link"
            />
        </div>
        <CloseButton class="quiet" event=Event::LinkClosed/>
    }
    .into_any()
}

fn price_wrong(l10n: Localization) -> String {
    let example = "12.5".parse().map(|price| l10n.amount(&price, CENTS));
    l10n.format(
        Text::LinkPriceWrong,
        &[("example", &example.unwrap_or_default())],
    )
}

fn valid_for(l10n: Localization, days: u16) -> String {
    l10n.format_count(Text::LinkDays, days.into())
}

/// The highest price in a token.
fn highest(l10n: Localization, limits: &LinkLimits, token: &TokenCode) -> String {
    let max = limits.max_quantity.get(token);
    let max = max.map(|max| format!("{} {}", l10n.amount(max, CENTS), symbol(token.as_str())));
    l10n.format(Text::LinkMax, &[("max", &max.unwrap_or_default())])
}
