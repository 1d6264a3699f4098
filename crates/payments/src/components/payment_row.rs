use leptos::prelude::*;
use tender_element::focus::{FocusTarget, pass_focus};
use tender_payments_core::{Event, can_be_cancelled};
use tender_protocol::Payment;

use super::controls::Checkbox;
use super::delivery_summary::DeliverySummary;
use super::hidden_unless::HiddenUnless;
use super::ledger_info::{CreatedAt, ServiceNotification};
use super::order_cells::{Cell, OrderCells, text_of};
use super::payment_summary::{name_of, naming};
use super::status_pill::StatusPill;
use crate::driver::{latest, use_driver};
use crate::localization::use_localization;
use crate::text::Text;

/// One payment: a row of the table, or a card on a phone. It stays when the payment changes, and with
/// it the focus.
#[component]
pub(super) fn PaymentRow(
    /// The payment's `transactionId`.
    id: String,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let Some(payment) = payment_memo(id.clone()) else {
        return ().into_any();
    };
    let id = StoredValue::new(id);
    let is_selected =
        driver.memo(move |dashboard| id.with_value(|id| dashboard.selected.contains(id)));
    let select = Callback::new(move |is_selected| {
        driver.dispatch(Event::SelectionChanged(id.get_value(), is_selected));
    });
    let cancel = move |_| driver.dispatch(Event::CancelRequested(vec![id.get_value()]));
    let show_details = move |_| driver.dispatch(Event::DetailsRequested(id.get_value()));
    let name = name_of(payment);
    let cancel_label = naming(Text::CancelOne, name);
    let details_label = naming(Text::DetailsOf, name);
    let date = text_of(payment, |payment| payment.created_at.as_deref());
    let is_open = Memo::new(move |_| payment.with(|payment| !payment.has_ended()));
    let can_cancel = Memo::new(move |_| payment.with(can_be_cancelled));
    let status = FocusTarget::new();
    view! {
        <tr role="row" part="row">
            <td role="cell" class="pick-cell">
                <HiddenUnless when=can_cancel target=status>
                    <Checkbox label=naming(Text::Select, name) checked=is_selected on_change=select/>
                </HiddenUnless>
            </td>
            <OrderCells payment=payment/>
            <Cell>
                <StatusPill payment=payment target=status/>
                <ServiceNotification id=id.get_value() is_open=is_open/>
                <DeliverySummary id=id.get_value() name=name/>
            </Cell>
            <Cell is_detail=true>
                <CreatedAt id=id.get_value() date=date/>
            </Cell>
            <td role="cell" class="do">
                <button
                    type="button"
                    class="quiet"
                    part="details"
                    aria-label=move || details_label.get()
                    aria-haspopup="dialog"
                    on:click=show_details
                >
                    {l10n.t(Text::Details)}
                </button>
                {move || is_open.get().then(|| view! {
                    <HiddenUnless when=can_cancel target=status>
                        <button
                            type="button"
                            class="quiet"
                            part="cancel"
                            aria-label=move || cancel_label.get()
                            use:pass_focus=status
                            on:click=cancel
                        >
                            {l10n.t(Text::Cancel)}
                        </button>
                    </HiddenUnless>
                })}
            </td>
        </tr>
    }
    .into_any()
}

/// The payment with this `transactionId`, as it is in the list.
pub(super) fn payment_memo(id: String) -> Option<Memo<Payment>> {
    let driver = use_driver();
    latest(move || driver.with_dashboard(|dashboard| dashboard.list.get(&id).cloned()))
}
