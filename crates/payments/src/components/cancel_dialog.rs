use std::mem;

use leptos::prelude::*;
use tender_element::components::{WarningIcon, dynamic_text};
use tender_payments_core::{CancelOutcome, Cancellation, Event, ListedStatus};
use tender_protocol::{Payment, PaymentState};

use super::controls::ActionButton;
use super::modal::{CloseButton, Modal, initial_focus};
use super::payment_summary::{PaymentSummary, payment_name};
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
        <h3 id="ask" use:dynamic_text=Signal::stored(title)></h3>
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

/// What happened to each of the cancelled payments.
#[component]
fn CancelResults(outcomes: Vec<CancelOutcome>) -> AnyView {
    let l10n = use_localization();
    let count = outcomes.len();
    let refused = outcomes.iter().filter(|outcome| outcome.error.is_some());
    let refused = refused.count();
    let (cancelled, others): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(CancelOutcome::is_cancelled);
    let title = match &cancelled[..] {
        [only] if count == 1 => {
            let name = payment_name(l10n, &only.before);
            l10n.format(Text::CancelDoneOne, &[("invoice", &name)])
        }
        _ => {
            let done = cancelled.len().to_string();
            let values = [("done", &*done), ("all", &*count.to_string())];
            l10n.format(Text::CancelDone, &values)
        }
    };
    let summary = (refused > 0 && count > 1).then(|| {
        let values = [
            ("count", &*refused.to_string()),
            ("all", &*count.to_string()),
        ];
        let text = l10n.format(Text::CancelFailures.for_count(refused), &values);
        view! { <p class="problem" role="status">{text}</p> }
    });
    // What needs attention comes first.
    let outcomes = others.into_iter().chain(cancelled).map(|outcome| {
        let result = result_text(l10n, &outcome);
        let icon = (!outcome.is_cancelled()).then(|| view! { <WarningIcon/> });
        view! {
            <li>
                <span class="failed">{icon}<PaymentSummary payment=outcome.before/></span>
                <p part="outcome">{result}</p>
            </li>
        }
    });
    view! {
        <h3 id="ask" use:dynamic_text=Signal::stored(title)></h3>
        {summary}
        <ul>{outcomes.collect_view()}</ul>
        <CloseButton class="primary" event=Event::CancellationClosed/>
    }
    .into_any()
}

/// What the list says about the payment, and why the request was refused.
fn result_text(l10n: Localization, outcome: &CancelOutcome) -> String {
    let reason = outcome.error.as_ref().map(|error| error.message.as_str());
    match (&outcome.listed, reason) {
        (ListedStatus::Status(status, _), Some(reason)) => l10n.format(
            Text::CancelRefused,
            &[("reason", reason), ("status", &status.shown())],
        ),
        (ListedStatus::Status(status, state), None)
            if *state != Some(PaymentState::Closed) && *status == outcome.before.status =>
        {
            l10n.format(Text::CancelUnchanged, &[("status", &status.shown())])
        }
        (ListedStatus::Status(status, _), None) => {
            l10n.format(Text::CancelChanged, &[("status", &status.shown())])
        }
        (ListedStatus::NotFound, Some(reason)) => {
            l10n.format(Text::CancelRefusedMissing, &[("reason", reason)])
        }
        (ListedStatus::NotFound, None) => l10n.t(Text::CancelMissing),
        (ListedStatus::Unreadable | ListedStatus::Pending, _) => l10n.t(Text::CancelUnread),
    }
}
