use std::mem;

use leptos::prelude::*;
use tender_element::components::{WarningIcon, dynamic_text};
use tender_payments_core::{Cancellation, Event};
use tender_protocol::Payment;

use super::action_button::ActionButton;
use super::cancel_results::CancelResults;
use super::modal::{Modal, initial_focus};
use super::payment_summary::PaymentSummary;
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The dialog for cancelling payments: confirmation, progress and results.
#[component]
pub(super) fn CancelDialog() -> AnyView {
    let driver = use_driver();
    // While the kind of state stays the same, the content stays, and with it the focus.
    let kind = driver.memo(|dashboard| mem::discriminant(&dashboard.cancellation));
    let is_open = driver.memo(|dashboard| dashboard.cancellation != Cancellation::Idle);
    let content = |cancellation: &Cancellation| match cancellation.clone() {
        Cancellation::Idle => ().into_any(),
        Cancellation::Confirming(payments) => view! { <CancelConfirmation payments/> }.into_any(),
        Cancellation::InProgress(_) => view! { <CancelProgress/> }.into_any(),
        Cancellation::Finished(outcomes) => view! { <CancelResults outcomes/> }.into_any(),
    };
    view! {
        // Requests that have been sent can't be undone, so the dialog stays open until they finish.
        <Modal part="dialog" heading="ask" is_open dismiss=Event::CancellationClosed>
            {move || {
                kind.get();
                untrack(|| driver.with_dashboard(|dashboard| content(&dashboard.cancellation)))
            }}
        </Modal>
    }
    .into_any()
}

/// Asks whether these payments should be cancelled.
#[component]
fn CancelConfirmation(payments: Vec<Payment>) -> AnyView {
    let l10n = use_localization();
    let title = l10n.format_count(Text::CancelTitleMany, payments.len());
    let payments = payments.into_iter();
    let payments = payments.map(|payment| view! { <li><PaymentSummary payment=payment/></li> });
    view! {
        <h3 id="ask">{title}</h3>
        <ul>{payments.collect_view()}</ul>
        <p class="caution">
            <WarningIcon/>
            <span>{l10n.t(Text::CancelWarning)}</span>
        </p>
        <div class="buttons">
            <ActionButton
                class="quiet"
                part="keep"
                text=Text::CancelNo
                event=Event::CancellationClosed
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
    let l10n = use_localization();
    let progress = Signal::derive(move || {
        driver.with_dashboard(|dashboard| progress(l10n, &dashboard.cancellation))
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

fn progress(l10n: Localization, cancellation: &Cancellation) -> String {
    match cancellation {
        Cancellation::InProgress(batch) if !batch.remaining.is_empty() => {
            let done = batch.outcomes.len();
            let count = done + batch.remaining.len();
            let values = [("done", &*done.to_string()), ("count", &*count.to_string())];
            l10n.format(Text::CancelProgress, &values)
        }
        _ => l10n.t(Text::CancelLooking),
    }
}
