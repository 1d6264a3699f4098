use leptos::prelude::*;
use tender_element::components::{WarningIcon, dynamic_text};
use tender_element::focus::FocusTarget;
use tender_payments_core::{CancelOutcome, Cancellation, Event};
use tender_protocol::Payment;

use super::action_button::ActionButton;
use super::cancel_results::CancelResults;
use super::modal::{Modal, initial_focus};
use super::payment_summary::PaymentSummary;
use crate::loaded::use_dashboard;
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
    let dashboard = use_dashboard();
    let phase = dashboard.memo(|dashboard| Phase::from(&dashboard.cancellation));
    let is_open = Memo::new(move |_| phase.with(|phase| *phase != Phase::Closed));
    let dismiss = Callback::new(move |()| dashboard.dispatch(Event::CancelDismissed));
    view! {
        // Requests that have been sent can't be undone, so the dialog stays open until they finish.
        <Modal part="dialog" heading="ask" is_open=is_open title=title on_dismiss=dismiss>
            {move || match phase.get() {
                Phase::Closed => ().into_any(),
                Phase::Confirming(payments) => view! { <CancelConfirmation payments=payments/> }.into_any(),
                Phase::InProgress => view! { <CancelProgress/> }.into_any(),
                Phase::Finished(outcomes) => view! { <CancelResults outcomes=outcomes/> }.into_any(),
            }}
        </Modal>
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
    let dashboard = use_dashboard();
    let locale = use_localization();
    let progress = Signal::derive(move || {
        dashboard.with(|dashboard| progress(locale, &dashboard.cancellation))
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
