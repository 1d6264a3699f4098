use js_sys::{Date, Object};
use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::use_i18n;
use tender_payments_core::LedgerState;
use tender_protocol::Reconciling;
use tender_protocol::ledger::Reason;

use super::amount::TokenAmount;
use crate::driver::use_driver;
use crate::text::Text;

/// The orders whose outcome the proxy does not know yet.
#[component]
pub(super) fn OpenOrders() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let orders = Memo::new(move |_| {
        let orders = driver.dashboard(|dashboard| match &dashboard.ledger {
            LedgerState::Loaded(ledger) => Some((ledger.reconciling.clone(), ledger.more)),
            _ => None,
        });
        orders.flatten().unwrap_or_default()
    });
    let order_views = move || {
        let (orders, _) = orders.get();
        orders
            .into_iter()
            .map(|order| view! { <OpenOrder order=order/> })
            .collect_view()
    };
    view! {
        <Show when=move || orders.with(|(orders, _)| !orders.is_empty())>
            <section class="open-orders" part="reconciling" aria-labelledby="open-orders">
                <h3 id="open-orders">{move || i18n.t(Text::Reconciling)}</h3>
                <p class="hint">{move || i18n.t(Text::ReconcilingHint)}</p>
                <ul>{order_views}</ul>
                <Show when=move || orders.with(|(_, more)| *more)>
                    <p class="hint">{move || i18n.t(Text::AndMore)}</p>
                </Show>
            </section>
        </Show>
    }
    .into_any()
}

#[component]
fn OpenOrder(order: Reconciling) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let reason = match order.reason {
        Reason::CreateUnanswered => Text::CreateUnanswered,
        Reason::CancelUnanswered => Text::CancelUnanswered,
        Reason::Unknown => Text::ReasonUnknown,
    };
    let since = order.since;
    let explanation = Signal::derive(move || {
        let since = format_time(&since, &driver.locale());
        let since = i18n.format(Text::Since, &[("when", &since)]);
        format!("{} {since}", i18n.t(reason))
    });
    view! {
        <li>
            <strong><bdi>{order.invoice_number}</bdi></strong>
            " "
            <TokenAmount amount=order.quantity token=order.token/>
            <p class="hint" use:dynamic_text=explanation></p>
        </li>
    }
    .into_any()
}

/// A time (RFC 3339) in the format of the locale; unchanged if the browser can't parse it.
pub(super) fn format_time(time: &str, locale: &str) -> String {
    let date = Date::new(&time.into());
    if date.get_time().is_nan() {
        return time.to_owned();
    }
    date.to_locale_string(locale, &Object::new()).into()
}
