//! What the merchant sees: one component for each kind of state, and its parts.
//!
//! Components read the state and dispatch events. They never send requests.

#![expect(
    unreachable_pub,
    reason = "`#[component]` generates public builders for the properties"
)]

mod alerts;
mod amount;
mod cancel_dialog;
mod controls;
mod daily_chart;
mod daily_sums;
mod dashboard;
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
mod status_pill;
mod timeline_list;
mod toolbar;

use std::mem;

use leptos::prelude::*;
use tender_element::components::{LocaleRoot, Skeleton};
use tender_element::{TextKey, use_i18n};
use tender_payments_core::{Event, Refresh, State};

use self::alerts::{Notice, failure_text};
use self::dashboard::PaymentsDashboard;
use self::key_form::KeyForm;
use crate::driver::{Driver, use_driver};
use crate::text::Text;

/// The whole element.
#[component]
pub(crate) fn PaymentsRoot() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    // While the kind of state stays the same, the component that shows it stays, and with it the focus.
    let kind = Memo::new(move |_| driver.with(mem::discriminant));
    let locale = Memo::new(move |_| driver.locale());
    let typed_key = StoredValue::new(String::new());
    let updated_at = time_of_refresh(driver);
    let view_of = move |state: &State| match state {
        State::Loading(_) => skeleton(),
        State::KeyRequired(_) => view! { <KeyForm typed_key/> }.into_any(),
        State::LoggedOut => view! {
            <Notice
                title=Text::LoggedOut
                message=Text::LoggedOutHint
                button=Text::Reload
                event=Event::ReloadRequested
            />
        }
        .into_any(),
        State::Failed(key, failure) => view! {
            <Notice
                title=Text::FailedTitle
                message=failure_text(failure)
                button=Text::TryAgain
                event=Event::RefreshRequested
                has_key=key.is_some()
            >
                <slot></slot>
            </Notice>
        }
        .into_any(),
        State::Ready(_) => view! { <PaymentsDashboard updated_at/> }.into_any(),
    };
    // The texts and the locale are read here, so that the component is created again when they
    // change: see `Localization`.
    let content = move || {
        locale.get();
        kind.get();
        if i18n.is_loaded() {
            untrack(|| driver.with(view_of))
        } else {
            skeleton()
        }
    };
    view! {
        <LocaleRoot copied=Text::Copied.entry() copy_failed=Text::CopyFailed.entry()>
            {content}
        </LocaleRoot>
    }
    .into_any()
}

fn skeleton() -> AnyView {
    view! { <Skeleton label=use_i18n().signal(Text::Loading)/> }.into_any()
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
