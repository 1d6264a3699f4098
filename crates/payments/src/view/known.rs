//! What the proxy knows beyond the list.

use js_sys::{Date, Object};
use leptos::prelude::*;
use tender_element::speech::{fill, say};
use tender_merchant::Knowledge;
use tender_merchant::text::Text;
use tender_protocol::ledger::Reason;
use tender_protocol::{KnownPayment, Reconciling};

use super::row::amount;
use crate::driver::Driver;

/// Whether the service has notified the proxy of a payment, and how often it was tried.
pub(super) fn of_payment(known: &KnownPayment, locale: &str) -> AnyView {
    let notified = match &known.notified_at {
        Some(when) => fill(Text::Notified, &[("when", &moment(when, locale))]),
        None => say(Text::NotNotified),
    };
    let attempts = known.attempts.filter(|attempts| *attempts > 1);
    let attempts = attempts.map(|count| fill(Text::Attempts, &[("count", &count.to_string())]));
    view! {
        <span class="hint">{notified}</span>
        {attempts.map(|attempts| view! { <span class="hint">{attempts}</span> })}
    }
    .into_any()
}

/// Orders whose outcome is not known yet.
pub(super) fn reconciling(driver: Driver) -> AnyView {
    let orders = Memo::new(move |_| {
        driver.desk(|desk| match &desk.knowledge {
            Knowledge::Known(known) => (known.reconciling.clone(), known.more),
            _ => (Vec::new(), false),
        })
    });
    let shown = move || {
        let (orders, more) = orders.get().unwrap_or_default();
        (!orders.is_empty()).then(|| {
            let locale = driver.locale();
            let orders: Vec<_> = orders.iter().map(|open| order(open, &locale)).collect();
            view! {
                <section class="open-orders" part="reconciling" aria-labelledby="open-orders">
                    <h3 id="open-orders">{say(Text::Reconciling)}</h3>
                    <p class="hint">{say(Text::ReconcilingHint)}</p>
                    <ul>{orders}</ul>
                    {more.then(|| view! { <p class="hint">{say(Text::AndMore)}</p> })}
                </section>
            }
        })
    };
    view! { {shown} }.into_any()
}

fn order(open: &Reconciling, locale: &str) -> AnyView {
    let reason = say(match open.reason {
        Reason::CreateUnanswered => Text::CreateUnanswered,
        Reason::CancelUnanswered => Text::CancelUnanswered,
        Reason::Unknown => Text::ReasonUnknown,
    });
    let since = fill(Text::Since, &[("when", &moment(&open.since, locale))]);
    view! {
        <li>
            <strong><bdi>{open.invoice_number.clone()}</bdi></strong>" "
            {amount(&open.quantity, &open.token, locale)}
            <p class="hint">{reason}" "{since}</p>
        </li>
    }
    .into_any()
}

/// A moment (RFC 3339) as it is written where the merchant is; as it came, where the browser can't read it.
fn moment(when: &str, locale: &str) -> String {
    let date = Date::new(&when.into());
    if date.get_time().is_nan() {
        return when.to_owned();
    }
    date.to_locale_string(locale, &Object::new()).into()
}
