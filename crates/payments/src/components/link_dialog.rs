use leptos::html::Input;
use leptos::prelude::*;
use tender_element::components::CopyButton;
use tender_element::focus::FocusTarget;
use tender_payments_core::{Event, LinkDialog as Dialog, LinkInput, LinkProblem, link_days};
use tender_protocol::{LinkLimits, NewOrder, PaymentLink, TokenCode};

use super::action_button::ActionButton;
use super::amount::{CENTS, TokenAmount, symbol, token_name};
use super::modal::{CloseButton, Modal, initial_focus};
use super::select::Select;
use crate::loaded::use_dashboard;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// How long a link is valid unless the merchant chooses another time, in days.
const USUAL_DAYS: u16 = 7;

/// What the dialog shows. While this stays the same, its content stays, and with it what was typed.
#[derive(Clone, PartialEq, Eq)]
enum Phase {
    Closed,
    Form,
    Signed(NewOrder, PaymentLink),
}

impl From<&Dialog> for Phase {
    fn from(dialog: &Dialog) -> Self {
        match dialog {
            Dialog::Closed => Self::Closed,
            Dialog::Form(_) | Dialog::Signing(_) => Self::Form,
            Dialog::Signed(order, signed) => Self::Signed(order.clone(), signed.clone()),
        }
    }
}

/// The dialog for creating a payment link: a form, and the link.
#[component]
pub(super) fn LinkDialog(
    /// Takes the focus if the control that opened the dialog is gone when it closes.
    title: FocusTarget,
) -> AnyView {
    let dashboard = use_dashboard();
    let phase = dashboard.memo(|dashboard| Phase::from(&dashboard.link));
    let is_open = Memo::new(move |_| phase.with(|phase| *phase != Phase::Closed));
    let dismiss = Callback::new(move |()| dashboard.dispatch(Event::LinkClosed));
    view! {
        <Modal part="link-dialog" heading="link" is_open=is_open title=title on_dismiss=dismiss>
            {move || match phase.get() {
                Phase::Closed => ().into_any(),
                Phase::Form => {
                    let limits = untrack(|| dashboard.with(|dashboard| dashboard.link_limits().cloned()));
                    limits.map(|limits| view! { <LinkForm limits=limits/> }).into_any()
                }
                Phase::Signed(order, signed) => view! { <Link order=order signed=signed/> }.into_any(),
            }}
        </Modal>
    }
    .into_any()
}

#[component]
fn LinkForm(limits: LinkLimits) -> AnyView {
    let dashboard = use_dashboard();
    let locale = use_localization();
    let tokens: Vec<_> = limits.max_quantity.keys().cloned().collect();
    let days = link_days(limits.max_days);
    let token = RwSignal::new(0);
    let usual = days.iter().position(|days| *days == USUAL_DAYS);
    let day = RwSignal::new(usual.unwrap_or(days.len() - 1));
    let (price, invoice) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let names = tokens.iter().map(|token| token_name(token.as_str()));
    let names: Vec<_> = names.collect();
    let times = days.iter().map(|days| valid_for(locale, *days));
    let times: Vec<_> = times.collect();
    let tokens = StoredValue::new(tokens);
    let chosen = move || tokens.with_value(|tokens| tokens.get(token.get()).cloned());
    let max = Memo::new(move |_| {
        let token = chosen();
        token.map_or_else(String::new, |token| highest(locale, &limits, &token))
    });
    let problem = dashboard.memo(|dashboard| match &dashboard.link {
        Dialog::Form(problem) => problem.clone(),
        Dialog::Closed | Dialog::Signing(_) | Dialog::Signed(..) => None,
    });
    let is_wrong = move |wrong: fn(&LinkProblem) -> bool| {
        move || problem.with(|problem| problem.as_ref().is_some_and(wrong).then_some("true"))
    };
    let explanation = move || {
        problem.get().map(|problem| match problem {
            LinkProblem::Price => locale.t(Text::LinkPriceWrong),
            LinkProblem::PriceTooHigh => max.get_untracked(),
            LinkProblem::Invoice => locale.t(Text::LinkInvoiceMissing),
            LinkProblem::Failed(failure) => {
                locale.format(Text::LinkFailed, &[("reason", &failure.message)])
            }
        })
    };
    let is_signing = dashboard.memo(|dashboard| matches!(dashboard.link, Dialog::Signing(_)));
    let submit = move || {
        let (Some(price), Some(invoice), Some(token)) = (
            price.get_untracked(),
            invoice.get_untracked(),
            untrack(chosen),
        ) else {
            return;
        };
        dashboard.dispatch(Event::LinkSubmitted(LinkInput {
            token,
            quantity: price.value(),
            invoice_number: invoice.value(),
            days: days.get(day.get_untracked()).copied().unwrap_or(USUAL_DAYS),
        }));
    };
    let submit = Callback::new(move |()| submit());
    view! {
        <h3 id="link">{locale.t(Text::LinkCreate)}</h3>
        <form
            class="link-form"
            novalidate
            autocomplete="off"
            on:submit=move |event| {
                event.prevent_default();
                submit.run(());
            }
        >
            <div class="field">
                <label for="link-price">{locale.t(Text::Price)}</label>
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
                <label for="link-invoice">{locale.t(Text::Invoice)}</label>
                <input
                    id="link-invoice"
                    maxlength="128"
                    spellcheck="false"
                    aria-required="true"
                    aria-describedby="link-invoice-hint"
                    aria-invalid=is_wrong(|problem| matches!(problem, LinkProblem::Invoice))
                    node_ref=invoice
                />
                <p class="hint" id="link-invoice-hint">{locale.t(Text::LinkInvoiceHint)}</p>
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
                    on:click=move |event| {
                        event.prevent_default();
                        submit.run(());
                    }
                >
                    {locale.t(Text::LinkCreate)}
                </button>
            </div>
        </form>
    }
    .into_any()
}

/// The link that was created.
#[component]
fn Link(order: NewOrder, signed: PaymentLink) -> AnyView {
    let locale = use_localization();
    let days = order.expires.trim_end_matches('d').parse();
    let days = days.map_or_else(|_| order.expires.clone(), |days| valid_for(locale, days));
    let invoice = [("invoice", &*order.invoice_number)];
    let url = signed.url.clone();
    view! {
        <h3 id="link">{locale.format(Text::LinkTitle, &invoice)}</h3>
        <p><TokenAmount amount=order.quantity token=order.token.to_string() shows_network=true/></p>
        <p class="code"><bdi dir="ltr" translate="no" part="link">{signed.url}</bdi></p>
        <p class="hint">{locale.format(Text::LinkHint, &[("days", &days)])}</p>
        <div class="contact">
            <CopyButton
                label=locale.t(Text::LinkCopy)
                value=url
                text=Signal::stored(locale.t(Text::LinkCopy))
                part="copy-link"
            />
        </div>
        <CloseButton class="quiet" event=Event::LinkClosed/>
    }
    .into_any()
}

fn valid_for(locale: Localization, days: u16) -> String {
    locale.format_count(Text::LinkDays, days.into())
}

/// The highest price in a token.
fn highest(locale: Localization, limits: &LinkLimits, token: &TokenCode) -> String {
    let max = limits.max_quantity.get(token);
    let max = max.map(|max| format!("{} {}", locale.amount(max, CENTS), symbol(token.as_str())));
    locale.format(Text::LinkMax, &[("max", &max.unwrap_or_default())])
}
