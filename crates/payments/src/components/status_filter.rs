use leptos::prelude::*;
use tender_payments_core::Event;
use tender_payments_core::filter::statuses;
use tender_protocol::Status;

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// Filters by a status of the loaded payments, named by the service's status text.
#[component]
pub(super) fn StatusFilter() -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let known = Memo::new(move |_| {
        let known = driver.dashboard(|dashboard| statuses(dashboard.visible()));
        known.unwrap_or_default()
    });
    let on_change = move |event| {
        let index = event_target_value(&event).parse::<usize>().ok();
        let status =
            index.and_then(|index| known.with_untracked(|known| known.get(index).cloned()));
        driver.dispatch(Event::StatusFilterChanged(status));
    };
    let options = move || {
        let known = known.get().into_iter().enumerate();
        known
            .map(|(index, status)| view! { <StatusOption index=index status=status/> })
            .collect_view()
    };
    view! {
        <div class="field">
            <label for="status">{locale.t(Text::Status)}</label>
            <select id="status" on:change=on_change>
                <option value="">{locale.t(Text::StatusAll)}</option>
                {options}
            </select>
        </div>
    }
    .into_any()
}

#[component]
fn StatusOption(
    /// The position among the known statuses, which is the option's value.
    index: usize,
    /// The status.
    status: Status,
) -> AnyView {
    let driver = use_driver();
    let text = status.text().to_owned();
    let is_selected = move || {
        driver.dashboard(|dashboard| dashboard.filter.status.as_ref() == Some(&status))
            == Some(true)
    };
    view! {
        <option value=index.to_string() selected=is_selected>
            {text}
        </option>
    }
    .into_any()
}
