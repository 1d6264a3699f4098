use leptos::ev;
use leptos::html::Dialog;
use leptos::prelude::*;
use tender_element::components::{WarningIcon, dynamic_text};
use tender_element::focus::{FocusRestoration, FocusTarget, focus};
use tender_payments_core::{CancelOutcome, Cancellation, Event};
use tender_protocol::Payment;
use web_sys::Element;

use super::action_button::ActionButton;
use super::amount::TokenAmount;
use super::cancel_results::CancelResults;
use super::payment_row::payment_name;
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// What the dialog shows. While this stays the same, its content stays, and with it the focus.
#[derive(Clone, PartialEq, Eq)]
enum Phase {
    Closed,
    Confirming(Vec<Payment>),
    InProgress,
    Finished(Vec<CancelOutcome>),
}

impl From<&Cancellation> for Phase {
    fn from(cancellation: &Cancellation) -> Self {
        match cancellation {
            Cancellation::Idle => Self::Closed,
            Cancellation::Confirming(payments) => Self::Confirming(payments.clone()),
            Cancellation::Requesting(_) | Cancellation::Verifying(_) => Self::InProgress,
            Cancellation::Finished(outcomes) => Self::Finished(outcomes.clone()),
        }
    }
}

/// The dialog for cancelling payments: confirmation, progress and results.
#[component]
pub(super) fn CancelDialog(
    /// Takes the focus if the control that opened the dialog is gone when it closes.
    title: FocusTarget,
) -> AnyView {
    let driver = use_driver();
    let phase = Memo::new(move |_| {
        let phase = driver.dashboard(|dashboard| Phase::from(&dashboard.cancellation));
        phase.unwrap_or(Phase::Closed)
    });
    let is_open = Memo::new(move |_| phase.with(|phase| *phase != Phase::Closed));
    let restoration: FocusRestoration = expect_context();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        match (is_open.get(), dialog.open()) {
            // If the browser can't show it as modal, nothing is shown and nothing is cancelled.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // Handles Escape. Requests that have been sent can't be undone, so the dialog stays open until
    // they finish.
    let on_cancel = move |event: ev::Event| {
        event.prevent_default();
        driver.dispatch(Event::CancelDismissed);
    };
    let on_close = move |_| {
        if !is_open.get_untracked() {
            // The browser has returned the focus to the control that opened the dialog, if it can.
            restoration.restore_to(title);
        } else if let Some(dialog) = dialog.get_untracked() {
            // A second Escape closes a dialog although its `cancel` event was prevented.
            let _ = dialog.show_modal();
        }
    };
    view! {
        <dialog
            class="ask"
            part="dialog"
            aria-labelledby="ask"
            node_ref=dialog
            on:cancel=on_cancel
            on:close=on_close
        >
            {move || match phase.get() {
                Phase::Closed => ().into_any(),
                Phase::Confirming(payments) => view! { <CancelConfirmation payments=payments/> }.into_any(),
                Phase::InProgress => view! { <CancelProgress/> }.into_any(),
                Phase::Finished(outcomes) => view! { <CancelResults outcomes=outcomes/> }.into_any(),
            }}
        </dialog>
    }
    .into_any()
}

/// Asks whether these payments should be cancelled.
#[component]
fn CancelConfirmation(payments: Vec<Payment>) -> AnyView {
    let locale = use_localization();
    let title = locale.format_count(Text::CancelTitleMany, payments.len());
    let payments = payments.into_iter();
    let payments = payments.map(|payment| view! { <li><PaymentSummary payment=payment/></li> });
    view! {
        <h3 id="ask">{title}</h3>
        <ul>{payments.collect_view()}</ul>
        <p class="caution">
            <WarningIcon/>
            <span>{locale.t(Text::CancelWarning)}</span>
        </p>
        <div class="buttons">
            <ActionButton
                class="quiet"
                part="keep"
                text=Text::CancelNo
                event=Event::CancelDismissed
                attr:autofocus=""
                use:initial_focus
            />
            <ActionButton
                class="danger"
                part="confirm"
                text=Text::CancelYes
                event=Event::CancelConfirmed
            />
        </div>
    }
    .into_any()
}

/// How many requests have been sent.
#[component]
fn CancelProgress() -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let progress = Signal::derive(move || {
        let progress = driver.dashboard(|dashboard| progress(locale, &dashboard.cancellation));
        progress.unwrap_or_default()
    });
    // `aria-live` in place of `role="status"`: the heading must keep its role to name the dialog.
    view! {
        <h3
            id="ask"
            tabindex="-1"
            aria-live="polite"
            autofocus
            use:initial_focus
            use:dynamic_text=progress
        ></h3>
    }
    .into_any()
}

fn progress(locale: Localization, cancellation: &Cancellation) -> String {
    match cancellation {
        Cancellation::Requesting(batch) => {
            let done = batch.outcomes.len();
            let count = done + batch.remaining.len();
            let values = [("done", &*done.to_string()), ("count", &*count.to_string())];
            locale.format(Text::CancelProgress, &values)
        }
        _ => locale.t(Text::CancelLooking),
    }
}

/// A payment by its invoice and amount.
#[component]
pub(super) fn PaymentSummary(payment: Payment) -> AnyView {
    let locale = use_localization();
    view! {
        <strong><bdi>{payment_name(locale, &payment)}</bdi></strong>
        " "
        <TokenAmount amount=payment.quantity_pay token=payment.payment_token/>
    }
    .into_any()
}

/// Directive: focuses the element when it is shown. (`autofocus` works only if the element is there
/// before the dialog opens.)
pub(super) fn initial_focus(element: Element) {
    Effect::new(move || focus(&element));
}
