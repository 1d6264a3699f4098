use leptos::prelude::*;
use tender_payments_core::{CancelOutcome, Event, ListedStatus};

use super::modal::CloseButton;
use super::payment_summary::PaymentSummary;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// What happened to each of the cancelled payments.
#[component]
pub(super) fn CancelResults(outcomes: Vec<CancelOutcome>) -> AnyView {
    let locale = use_localization();
    let count = outcomes.len();
    let refused = outcomes.iter().filter(|outcome| outcome.error.is_some());
    let refused = refused.count();
    let summary = (refused > 0 && count > 1).then(|| {
        let summary = move || {
            let values = [
                ("count", &*refused.to_string()),
                ("all", &*count.to_string()),
            ];
            locale.format(Text::CancelFailures.for_count(refused), &values)
        };
        view! { <p class="problem" role="status">{summary}</p> }
    });
    let outcomes = outcomes.into_iter().map(|outcome| {
        let result = result_text(locale, &outcome);
        view! {
            <li>
                <PaymentSummary payment=outcome.before/>
                <p part="outcome">{result}</p>
            </li>
        }
    });
    view! {
        <h3 id="ask">{locale.t(Text::CancelDone)}</h3>
        {summary}
        <ul>{outcomes.collect_view()}</ul>
        <CloseButton event=Event::CancelResultsClosed/>
    }
    .into_any()
}

/// What the list says about the payment, and why the request was refused.
fn result_text(locale: Localization, outcome: &CancelOutcome) -> String {
    let reason = outcome.error.as_ref().map(|error| error.message.as_str());
    match (&outcome.listed, reason) {
        (ListedStatus::Status(status), Some(reason)) => locale.format(
            Text::CancelRefused,
            &[("reason", reason), ("status", status.text())],
        ),
        (ListedStatus::Status(status), None) if *status == outcome.before.status => {
            locale.format(Text::CancelUnchanged, &[("status", status.text())])
        }
        (ListedStatus::Status(status), None) => {
            locale.format(Text::CancelChanged, &[("status", status.text())])
        }
        (ListedStatus::NotFound, Some(reason)) => {
            locale.format(Text::CancelRefusedMissing, &[("reason", reason)])
        }
        (ListedStatus::NotFound, None) => locale.t(Text::CancelMissing),
        (ListedStatus::Unreadable(_) | ListedStatus::Pending(_), _) => locale.t(Text::CancelUnread),
    }
}
