use leptos::prelude::*;
use tender_element::components::{Alert, TestModeBanner, dynamic_text};
use tender_element::focus::{FocusTarget, focus_target, pass_focus, restore_focus};
use tender_payments_core::{Dashboard, Event, Refresh};

use super::alerts::{ForgetKeyButton, failure_text};
use super::cancel_dialog::CancelDialog;
use super::controls::ActionButton;
use super::daily_sums::DailySums;
use super::details_dialog::DetailsDialog;
use super::link_dialog::LinkDialog;
use super::open_orders::OpenOrders;
use super::page_totals::PageTotals;
use super::pager::Pager;
use super::payment_table::PaymentTable;
use super::toolbar::Toolbar;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// The list of payments, and everything around it.
#[component]
pub(super) fn PaymentsDashboard(
    /// When the list was last refreshed (RFC 3339).
    updated_at: StoredValue<String>,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let is_test = driver.memo(Dashboard::is_test);
    let has_payments = driver.memo(|dashboard| !dashboard.list.payments().is_empty());
    let has_selection = driver.memo(|dashboard| dashboard.selection().next().is_some());
    // The heading takes the focus of a control that is removed.
    let heading = FocusTarget::new();
    provide_context(heading);
    view! {
        <section class="dashboard" part="dashboard" aria-labelledby="payments">
            <Show when=move || is_test.get()>
                <TestModeBanner text=l10n.t(Text::TestMode)/>
            </Show>
            <header class="heading">
                <h2 id="payments" tabindex="-1" use:restore_focus use:focus_target=heading>
                    {l10n.t(Text::Payments)}
                </h2>
                <HeaderButtons/>
            </header>
            <RefreshFailure updated_at/>
            <UnreadableRecords/>
            <UnmappedStatuses/>
            <OpenOrders/>
            <Show when=move || has_payments.get() fallback=|| view! { <NoPayments/> }>
                <DailySums/>
                <Toolbar/>
                <PaymentTable/>
                <PageTotals/>
                <Show when=move || has_selection.get()>
                    <CancelSelectedButton/>
                </Show>
                <Pager/>
            </Show>
            <CancelDialog/>
            <DetailsDialog/>
            <LinkDialog/>
        </section>
    }
    .into_any()
}

#[component]
fn HeaderButtons() -> AnyView {
    let driver = use_driver();
    let heading: FocusTarget = expect_context();
    let has_key = driver.memo(|dashboard| dashboard.key.is_some());
    let has_links = driver.memo(|dashboard| dashboard.link_limits().is_some());
    view! {
        <div class="buttons">
            <NewPayments/>
            <Show when=move || has_links.get()>
                <ActionButton
                    class="quiet"
                    part="create-link"
                    text=Text::LinkCreate
                    event=Event::LinkRequested
                    use:pass_focus=heading
                />
            </Show>
            <ActionButton
                class="quiet"
                part="refresh"
                text=Text::Refresh
                event=Event::RefreshRequested
            />
            <Show when=move || has_key.get()>
                <ForgetKeyButton/>
            </Show>
        </div>
    }
    .into_any()
}

/// Shows the new payments that are hidden for now. The button is not above the rows, because it would
/// move them.
#[component]
fn NewPayments() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let heading: FocusTarget = expect_context();
    let count = move || driver.with_dashboard(|dashboard| dashboard.hidden.len());
    let label = Signal::derive(move || l10n.format_count(Text::NewPayments, count()));
    view! {
        <div class="news" role="status">
            <Show when=move || count() != 0>
                <button
                    type="button"
                    class="quiet"
                    part="show-new"
                    on:click=move |_| driver.dispatch(Event::ShowNewRequested)
                    use:pass_focus=heading
                    use:dynamic_text=label
                ></button>
            </Show>
        </div>
    }
    .into_any()
}

/// The list could not be refreshed.
#[component]
fn RefreshFailure(updated_at: StoredValue<String>) -> AnyView {
    let l10n = use_localization();
    let failure = use_driver().memo(|dashboard| match &dashboard.refresh {
        Refresh::Failed(failure) => Some(failure_text(failure)),
        Refresh::Idle | Refresh::Loading(_) => None,
    });
    (move || {
        failure.get().map(|failure| {
            let text = l10n.t(failure);
            let when = l10n.time(&updated_at.get_value());
            let title = l10n.format(Text::NotUpdated, &[("when", &when)]);
            view! { <Alert title=title message=text/> }
        })
    })
    .into_any()
}

/// How many records could not be read.
#[component]
fn UnreadableRecords() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let count = move || driver.with_dashboard(|dashboard| dashboard.list.unreadable());
    let text = Signal::derive(move || l10n.format_count(Text::Unreadable, count()));
    view! {
        <Show when=move || count() != 0>
            <p class="problem" use:dynamic_text=text></p>
        </Show>
    }
    .into_any()
}

/// The settings of the proxy that say what a status means.
const STATUS_SETTINGS: &str = "status_paid, status_pending, status_underpaid, status_closed";

/// The statuses of the service that no setting maps.
#[component]
fn UnmappedStatuses() -> AnyView {
    let l10n = use_localization();
    let statuses = use_driver().memo(|dashboard| dashboard.unmapped_statuses().join(", "));
    let text = Signal::derive(move || {
        statuses.with(|statuses| {
            let values = [("statuses", &**statuses), ("settings", STATUS_SETTINGS)];
            l10n.format(Text::Unmapped, &values)
        })
    });
    view! {
        <Show when=move || statuses.with(|statuses| !statuses.is_empty())>
            <p class="hint" use:dynamic_text=text></p>
        </Show>
    }
    .into_any()
}

#[component]
fn NoPayments() -> AnyView {
    let l10n = use_localization();
    view! {
        <div class="ended">
            <p><strong>{l10n.t(Text::Empty)}</strong></p>
            <p class="hint">{l10n.t(Text::EmptyHint)}</p>
            <p class="hint">{l10n.t(Text::EmptyNext)}</p>
        </div>
    }
    .into_any()
}

#[component]
fn CancelSelectedButton() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let label = Signal::derive(move || {
        let count = driver.with_dashboard(|dashboard| dashboard.selection().count());
        l10n.format_count(Text::CancelSelected, count)
    });
    view! {
        <button
            type="button"
            class="danger"
            part="cancel-selected"
            on:click=move |_| driver.dispatch(Event::CancelSelectedRequested)
            use:dynamic_text=label
        ></button>
    }
    .into_any()
}
