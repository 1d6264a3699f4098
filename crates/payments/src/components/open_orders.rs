use leptos::prelude::*;
use tender_payments_core::Event;
use tender_protocol::Reconciling;
use tender_protocol::ledger::Reason;

use super::amount::TokenAmount;
use super::controls::ActionButton;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// The orders whose outcome the proxy does not know yet.
#[component]
pub(super) fn OpenOrders() -> AnyView {
    let l10n = use_localization();
    let ledger =
        use_driver().memo(|dashboard| dashboard.ledger.loaded().cloned().unwrap_or_default());
    let order_views = move || {
        let orders = ledger.get().reconciling.into_iter();
        orders
            .map(|order| view! { <OpenOrder order=order/> })
            .collect_view()
    };
    view! {
        <Show when=move || ledger.with(|ledger| !ledger.reconciling.is_empty())>
            <section class="open-orders" part="reconciling" aria-labelledby="open-orders">
                <h3 id="open-orders">{l10n.t(Text::Reconciling)}</h3>
                <p class="hint">{l10n.t(Text::ReconcilingHint)}</p>
                <ul>{order_views}</ul>
                <Show when=move || ledger.with(|ledger| ledger.more)>
                    <p class="hint">{l10n.t(Text::AndMore)}</p>
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
    let l10n = use_localization();
    let reason = match order.reason {
        Reason::CreateUnanswered => Text::CreateUnanswered,
        Reason::CancelUnanswered => Text::CancelUnanswered,
        Reason::CreateContradictory => Text::CreateContradictory,
        Reason::ListContradictory => Text::ListContradictory,
        Reason::LateDuplicate => Text::LateDuplicate,
        Reason::Unknown => Text::ReasonUnknown,
    };
    let since = l10n.format(Text::Since, &[("when", &l10n.time(&order.since))]);
    let explanation = format!("{} {since}", l10n.t(reason));
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
