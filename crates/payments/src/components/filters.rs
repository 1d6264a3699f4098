use leptos::prelude::*;
use tender_payments_core::filter::{payment_tokens, states, statuses};
use tender_payments_core::{Dashboard, Filter};
use tender_protocol::{PaymentState, Status};

use super::amount::token_name;
use super::controls::Select;
use super::status_pill::state_name;
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The filters beside the search: state, status, token and days of the loaded payments. Statuses are named by the service's texts, and
/// tokens by ticker and network.
#[component]
pub(super) fn Filters() -> AnyView {
    view! {
        <StateFilter/>
        <ValueFilter
            id="status"
            label=Text::Status
            all=Text::StatusAll
            known=|dashboard| statuses(dashboard.visible())
            name=|_, status: &Status| status.shown()
            wanted=|filter| filter.status.as_ref()
            choose=|filter, status| filter.status = status
        />
        <ValueFilter
            id="token"
            label=Text::Token
            all=Text::TokenAll
            known=|dashboard| payment_tokens(dashboard.visible())
            name=|_, token: &String| token_name(token)
            wanted=|filter| filter.payment_token.as_ref()
            choose=|filter, token| filter.payment_token = token
        />
        <DayField
            id="from"
            label=Text::From
            read=|filter| &filter.from
            choose=|filter, day| filter.from = day
        />
        <DayField
            id="until"
            label=Text::Until
            read=|filter| &filter.to
            choose=|filter, day| filter.to = day
        />
    }
    .into_any()
}

/// Filters by what the proxy says about the status, where it says something.
#[component]
fn StateFilter() -> AnyView {
    let known = |dashboard: &Dashboard| states(dashboard.visible());
    let has_states = use_driver().memo(move |dashboard| !known(dashboard).is_empty());
    view! {
        <Show when=move || has_states.get()>
            <ValueFilter
                id="state"
                label=Text::State
                all=Text::StateAll
                known=known
                name=|l10n: Localization, state: &PaymentState| l10n.t(state_name(*state))
                wanted=|filter| filter.state.as_ref()
                choose=|filter, state| filter.state = state
            />
        </Show>
    }
    .into_any()
}

/// Filters by one of the values that the loaded payments have.
#[component]
fn ValueFilter<T: Clone + PartialEq + Send + Sync + 'static>(
    id: &'static str,
    label: Text,
    all: Text,
    known: fn(&Dashboard) -> Vec<T>,
    name: fn(Localization, &T) -> String,
    wanted: fn(&Filter) -> Option<&T>,
    choose: fn(&mut Filter, Option<T>),
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let known = driver.memo(known);
    let options = Memo::new(move |_| {
        known.with(|known| known.iter().map(|value| name(l10n, value)).collect())
    });
    let chosen = driver.memo(move |dashboard| {
        let wanted = wanted(&dashboard.filter)?;
        known.with(|known| known.iter().position(|value| value == wanted))
    });
    let on_change = Callback::new(move |index: Option<usize>| {
        let value = index.and_then(|index| known.with_untracked(|known| known.get(index).cloned()));
        driver.change_filter(|filter| choose(filter, value));
    });
    view! { <Select id=id label=label none=all options=options chosen=chosen on_change=on_change/> }
        .into_any()
}

/// The first or the last day of creation.
#[component]
fn DayField(
    id: &'static str,
    label: Text,
    read: fn(&Filter) -> &String,
    choose: fn(&mut Filter, String),
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let value = driver.memo(move |dashboard| read(&dashboard.filter).clone());
    view! {
        <div class="field">
            <label for=id>{l10n.t(label)}</label>
            <input
                id=id
                type="date"
                prop:value=move || value.get()
                on:change=move |event| {
                    driver.change_filter(|filter| choose(filter, event_target_value(&event)));
                }
            />
        </div>
    }
    .into_any()
}
