use leptos::prelude::*;
use tender_element::components::WarningIcon;
use tender_payments_core::{CancelOutcome, Event, ListedStatus};
use tender_protocol::PaymentState;

use super::modal::CloseButton;
use super::payment_summary::{PaymentSummary, payment_name};
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// What happened to each of the cancelled payments.
#[component]
pub(super) fn CancelResults(outcomes: Vec<CancelOutcome>) -> AnyView {
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
        <h3 id="ask">{title}</h3>
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
            &[("reason", reason), ("status", status.text())],
        ),
        (ListedStatus::Status(status, state), None)
            if *state != Some(PaymentState::Closed) && *status == outcome.before.status =>
        {
            l10n.format(Text::CancelUnchanged, &[("status", status.text())])
        }
        (ListedStatus::Status(status, _), None) => {
            l10n.format(Text::CancelChanged, &[("status", status.text())])
        }
        (ListedStatus::NotFound, Some(reason)) => {
            l10n.format(Text::CancelRefusedMissing, &[("reason", reason)])
        }
        (ListedStatus::NotFound, None) => l10n.t(Text::CancelMissing),
        (ListedStatus::Unreadable | ListedStatus::Pending(_), _) => l10n.t(Text::CancelUnread),
    }
}
