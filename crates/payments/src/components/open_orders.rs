use leptos::prelude::*;
use tender_payments_core::{Event, LedgerState};
use tender_protocol::Reconciling;
use tender_protocol::ledger::Reason;

use super::action_button::ActionButton;
use super::amount::TokenAmount;
use crate::loaded::use_dashboard;
use crate::localization::use_localization;
use crate::text::Text;

/// The orders whose outcome the proxy does not know yet.
#[component]
pub(super) fn OpenOrders() -> AnyView {
    let locale = use_localization();
    let orders = use_dashboard().memo(|dashboard| match &dashboard.ledger {
        LedgerState::Loaded(ledger) => (ledger.reconciling.clone(), ledger.more),
        LedgerState::NotLoaded | LedgerState::Unsupported => (Vec::new(), false),
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
                <h3 id="open-orders">{locale.t(Text::Reconciling)}</h3>
                <p class="hint">{locale.t(Text::ReconcilingHint)}</p>
                <ul>{order_views}</ul>
                <Show when=move || orders.with(|(_, more)| *more)>
                    <p class="hint">{locale.t(Text::AndMore)}</p>
                </Show>
                <div class="buttons">
                    <ActionButton
                        class="quiet"
                        part="check-again"
                        text=Text::CheckAgain
                        event=Event::RefreshRequested
                    />
                </div>
            </section>
        </Show>
    }
    .into_any()
}

#[component]
fn OpenOrder(order: Reconciling) -> AnyView {
    let locale = use_localization();
    let reason = match order.reason {
        Reason::CreateUnanswered => Text::CreateUnanswered,
        Reason::CancelUnanswered => Text::CancelUnanswered,
        Reason::CreateContradictory => Text::CreateContradictory,
        Reason::LateDuplicate => Text::LateDuplicate,
        Reason::Unknown => Text::ReasonUnknown,
    };
    let since = locale.format(Text::Since, &[("when", &locale.time(&order.since))]);
    let explanation = format!("{} {since}", locale.t(reason));
    view! {
        <li>
            <p class="order">
                <strong><bdi>{order.invoice_number}</bdi></strong>
                " "
                <span><TokenAmount amount=order.quantity token=order.token/></span>
            </p>
            <p class="hint">{explanation}</p>
        </li>
    }
    .into_any()
}
