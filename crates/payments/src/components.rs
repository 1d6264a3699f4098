//! What the merchant sees: one component for each kind of state, and its parts.
//!
//! Components read the state and dispatch events. They never send requests.

#![expect(
    unreachable_pub,
    reason = "`#[component]` generates public builders for the properties"
)]

mod action_button;
mod alerts;
mod amount;
mod cancel_dialog;
mod cancel_results;
mod cell;
mod checkbox;
mod code;
mod daily_chart;
mod daily_sums;
mod dashboard;
mod delivery_item;
mod delivery_summary;
mod details_dialog;
mod filters;
mod hidden_unless;
mod key_form;
mod ledger_info;
mod link_dialog;
mod modal;
mod open_orders;
mod order_actions;
mod order_cells;
mod page_totals;
mod pager;
mod payment_fields;
mod payment_row;
mod payment_summary;
mod payment_table;
mod search_older;
mod select;
mod sort_field;
mod status_pill;
mod timeline_list;
mod toolbar;

use leptos::prelude::*;
use tender_element::components::{LocaleRoot, Skeleton};
use tender_element::{TextKey, use_i18n};
use tender_payments_core::{Refresh, State};

use self::alerts::{LoadFailure, LoggedOut, failure_text};
use self::dashboard::PaymentsDashboard;
use self::key_form::KeyForm;
use crate::driver::{Driver, use_driver};
use crate::loaded::LoadedDashboard;
use crate::text::Text;

/// Which component shows a state. While this stays the same, the component stays, and with it the
/// focus.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Screen {
    Skeleton,
    KeyForm,
    LoggedOut,
    LoadFailure { message: Text, has_key: bool },
    Dashboard,
}

impl From<&State> for Screen {
    fn from(state: &State) -> Self {
        match state {
            State::Loading(_) => Self::Skeleton,
            State::KeyRequired(_) => Self::KeyForm,
            State::LoggedOut => Self::LoggedOut,
            State::Failed(key, failure) => Self::LoadFailure {
                message: failure_text(failure),
                has_key: key.is_some(),
            },
            State::Ready(_) => Self::Dashboard,
        }
    }
}

/// The whole element.
#[component]
pub(crate) fn PaymentsRoot() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let screen = Memo::new(move |_| driver.with(|state| Screen::from(state)));
    let locale = Memo::new(move |_| driver.locale());
    let typed_key = StoredValue::new(String::new());
    let updated_at = time_of_refresh(driver);
    // The texts and the locale are read here, so that the component is created again when they
    // change: see `Localization`.
    let screen_view = move || {
        locale.track();
        let screen = if i18n.is_loaded() {
            screen.get()
        } else {
            Screen::Skeleton
        };
        match screen {
            Screen::Skeleton => {
                let label = Signal::derive(move || i18n.t(Text::Loading));
                view! { <Skeleton label/> }.into_any()
            }
            Screen::KeyForm => view! { <KeyForm typed_key/> }.into_any(),
            Screen::LoggedOut => view! { <LoggedOut/> }.into_any(),
            Screen::LoadFailure { message, has_key } => {
                view! { <LoadFailure message has_key/> }.into_any()
            }
            Screen::Dashboard => LoadedDashboard::new(driver)
                .map(|dashboard| view! { <PaymentsDashboard dashboard updated_at/> })
                .into_any(),
        }
    };
    view! {
        <LocaleRoot copied=Text::Copied.entry() copy_failed=Text::CopyFailed.entry()>
            {screen_view}
        </LocaleRoot>
    }
    .into_any()
}

/// When the list was last refreshed (RFC 3339).
fn time_of_refresh(driver: Driver) -> StoredValue<String> {
    let now = || String::from(js_sys::Date::new_0().to_iso_string());
    let updated_at = StoredValue::new(now());
    let is_current = Memo::new(move |_| {
        driver.with(
            |state| matches!(state, State::Ready(dashboard) if dashboard.refresh == Refresh::Idle),
        )
    });
    Effect::new(move || {
        if is_current.get() {
            updated_at.set_value(now());
        }
    });
    updated_at
}
