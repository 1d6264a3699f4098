//! The dialog around cancelling: whether it is meant, how far it is, and what became of it.

use leptos::html::Dialog;
use leptos::prelude::*;
use tender_element::speech::{fill, say};
use tender_element::{focus, icon};
use tender_merchant::text::Text;
use tender_merchant::{Cancelling, Event, Outcome, Seen};
use tender_protocol::Payment;

use super::row::{amount, name};
use crate::driver::Driver;

pub(super) fn dialog(driver: Driver) -> AnyView {
    let node = NodeRef::<Dialog>::new();
    let cancelling = Memo::new(move |_| driver.desk(|desk| desk.cancelling.clone()));
    let is_open = Memo::new(move |_| {
        cancelling.with(|cancelling| !matches!(cancelling, None | Some(Cancelling::No)))
    });
    Effect::new(move || {
        let Some(dialog) = node.get() else { return };
        match (is_open.get(), dialog.open()) {
            // Where it can't be modal it is not shown, and nothing is cancelled.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // What had the focus goes with what it stood in: in a dialog the focus would be nowhere then.
    Effect::new(move || {
        cancelling.track();
        request_animation_frame(move || {
            let Some(dialog) = node.try_get_untracked().flatten() else {
                return;
            };
            // It is closed when there is nothing in it: then the focus is where it was before.
            let heir = dialog.query_selector("[autofocus], h3[tabindex]");
            if let Ok(Some(heir)) = heir {
                focus::give_to(&heir);
            }
        });
    });
    // Escape: what is under way can't be taken back.
    let on_cancel = move |event: leptos::ev::Event| {
        event.prevent_default();
        driver.dispatch(Event::CancelKept);
    };
    view! {
        <dialog class="ask" part="dialog" aria-labelledby="ask" node_ref=node on:cancel=on_cancel>
            {move || match cancelling.get() {
                Some(Cancelling::Asking(payments)) => asking(driver, &payments),
                Some(Cancelling::Running(batch)) => {
                    let done = batch.outcomes.len();
                    let count = done + batch.waiting.len();
                    let values = [("done", &*done.to_string()), ("count", &*count.to_string())];
                    under_way(fill(Text::CancelProgress, &values))
                }
                Some(Cancelling::Looking(_)) => under_way(say(Text::CancelLooking)),
                Some(Cancelling::Done(outcomes)) => done(driver, &outcomes),
                Some(Cancelling::No) | None => ().into_any(),
            }}
        </dialog>
    }
    .into_any()
}

/// A payment by its invoice and its amount.
fn named(payment: &Payment, locale: &str) -> AnyView {
    view! {
        <strong><bdi>{name(payment)}</bdi></strong>" "
        {amount(&payment.quantity_pay, &payment.payment_token, locale)}
    }
    .into_any()
}

fn asking(driver: Driver, payments: &[Payment]) -> AnyView {
    let title = match payments.len() {
        1 => say(Text::CancelTitle),
        count => fill(Text::CancelTitleMany, &[("count", &count.to_string())]),
    };
    let locale = driver.locale();
    let named = payments
        .iter()
        .map(|payment| view! { <li>{named(payment, &locale)}</li> });
    view! {
        <h3 id="ask">{title}</h3>
        <ul>{named.collect::<Vec<_>>()}</ul>
        <p class="caution">{icon::warning().in_view()}<span>{say(Text::CancelWarning)}</span></p>
        <div class="buttons">
            <button type="button" class="quiet" part="keep" autofocus
                on:click=move |_| driver.dispatch(Event::CancelKept)>{say(Text::CancelNo)}</button>
            <button type="button" class="danger" part="confirm"
                on:click=move |_| driver.dispatch(Event::CancelConfirmed)>{say(Text::CancelYes)}</button>
        </div>
    }
    .into_any()
}

fn under_way(said: String) -> AnyView {
    view! { <h3 id="ask" role="status" tabindex="-1">{said}</h3> }.into_any()
}

fn done(driver: Driver, outcomes: &[Outcome]) -> AnyView {
    let locale = driver.locale();
    let told = outcomes.iter().map(|outcome| {
        view! { <li>{named(&outcome.before, &locale)}<p part="outcome">{became(outcome)}</p></li> }
    });
    let refused = outcomes
        .iter()
        .filter(|outcome| outcome.refusal.is_some())
        .count();
    let summary = (refused > 0 && outcomes.len() > 1).then(|| {
        let values = [
            ("count", &*refused.to_string()),
            ("all", &*outcomes.len().to_string()),
        ];
        view! { <p class="problem" role="status">{fill(Text::CancelFailures, &values)}</p> }
    });
    view! {
        <h3 id="ask">{say(Text::CancelDone)}</h3>
        {summary}
        <ul>{told.collect::<Vec<_>>()}</ul>
        <div class="buttons">
            <button type="button" class="primary" part="close" autofocus
                on:click=move |_| driver.dispatch(Event::CancelRead)>{say(Text::Close)}</button>
        </div>
    }
    .into_any()
}

/// What became of a payment: what the list says, and nothing that it does not.
fn became(outcome: &Outcome) -> String {
    let reason = outcome
        .refusal
        .as_ref()
        .map(|failure| failure.message.clone());
    match (&outcome.seen, reason) {
        (Seen::Reads(status), Some(reason)) => fill(
            Text::CancelRefused,
            &[("reason", &reason), ("status", status.text())],
        ),
        (Seen::Reads(status), None) if *status == outcome.before.status => {
            fill(Text::CancelUnchanged, &[("status", status.text())])
        }
        (Seen::Reads(status), None) => fill(Text::CancelChanged, &[("status", status.text())]),
        (Seen::Missing, Some(reason)) => fill(Text::CancelRefusedMissing, &[("reason", &reason)]),
        (Seen::Missing, None) => say(Text::CancelMissing),
        (Seen::Unread(_) | Seen::NotYet(_), _) => say(Text::CancelUnread),
    }
}
