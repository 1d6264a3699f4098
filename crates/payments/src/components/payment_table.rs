use leptos::prelude::*;
use tender_payments_core::{Dashboard, Event};
use wasm_bindgen::JsCast as _;
use web_sys::{FocusEvent, Node};

use super::controls::Checkbox;
use super::payment_row::PaymentRow;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// The columns between the checkbox and the buttons.
const COLUMNS: [Text; 7] = [
    Text::Invoice,
    Text::Buyer,
    Text::Price,
    Text::ToPay,
    Text::UsDollars,
    Text::Status,
    Text::Date,
];

/// The payments on the current page.
#[component]
pub(super) fn PaymentTable() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let ids = driver.memo(|dashboard| {
        let rows = dashboard.on_page();
        rows.map(|row| row.transaction_id.clone())
            .collect::<Vec<_>>()
    });
    let (has_pointer, has_focus) = (StoredValue::new(false), StoredValue::new(false));
    // Either one alone keeps the rows where they are.
    let set = move |held: StoredValue<bool>, is_held| {
        held.set_value(is_held);
        let is_interacting = has_pointer.get_value() || has_focus.get_value();
        driver.dispatch(Event::InteractionChanged(is_interacting));
    };
    view! {
        <div
            class="sheet"
            role="region"
            aria-label=l10n.t(Text::Table)
            tabindex="0"
            on:pointerenter=move |_| set(has_pointer, true)
            on:pointerleave=move |_| set(has_pointer, false)
            on:focusin=move |_| set(has_focus, true)
            on:focusout=move |event| set(has_focus, stays_inside(&event))
        >
            <table role="table" part="table" aria-label=l10n.t(Text::Table)>
                <TableHead/>
                <tbody role="rowgroup">
                    <For each=move || ids.get() key=String::clone let(id)>
                        <PaymentRow id=id/>
                    </For>
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Whether the focus moves to another control of the same element.
fn stays_inside(event: &FocusEvent) -> bool {
    let element: Option<Node> = event.current_target().and_then(|it| it.dyn_into().ok());
    let next: Option<Node> = event.related_target().and_then(|it| it.dyn_into().ok());
    element.is_some_and(|element| element.contains(next.as_ref()))
}

#[component]
fn TableHead() -> AnyView {
    let l10n = use_localization();
    let columns = COLUMNS.map(|column| {
        view! { <th role="columnheader" scope="col">{l10n.t(column)}</th> }
    });
    view! {
        <thead role="rowgroup">
            <tr role="row">
                // No header: it can be empty.
                <td role="cell"><SelectAll/></td>
                {columns.into_iter().collect_view()}
                <th role="columnheader" scope="col">
                    <span class="sr">{l10n.t(Text::Actions)}</span>
                </th>
            </tr>
        </thead>
    }
    .into_any()
}

/// Selects all payments on the page that can be cancelled; nothing if there are none.
#[component]
fn SelectAll() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let is_useful = driver.memo(|dashboard| dashboard.selectable().next().is_some());
    let are_selected = |dashboard: &Dashboard| {
        let is_selected = |id: &String| dashboard.selected.contains(id);
        dashboard
            .selectable()
            .all(|row| is_selected(&row.transaction_id))
    };
    let checked = driver.memo(are_selected);
    view! {
        <Show when=move || is_useful.get()>
            <Checkbox
                label=l10n.t(Text::SelectAll)
                checked=checked
                on_change=Callback::new(move |is_selected| {
                    driver.dispatch(Event::SelectAllChanged(is_selected));
                })
                shows_label=true
            />
        </Show>
    }
    .into_any()
}
