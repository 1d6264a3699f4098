use leptos::prelude::*;
use tender_element::components::{Alert, TestModeBanner, dynamic_text};
use tender_element::focus::{FocusTarget, focus_target, pass_focus, restore_focus};
use tender_payments_core::{Dashboard, Event, Refresh};

use super::action_button::ActionButton;
use super::alerts::{ForgetKeyButton, failure_text};
use super::cancel_dialog::CancelDialog;
use super::daily_sums::DailySums;
use super::details_dialog::DetailsDialog;
use super::link_dialog::LinkDialog;
use super::open_orders::OpenOrders;
use super::page_totals::PageTotals;
use super::pager::Pager;
use super::payment_table::PaymentTable;
use super::toolbar::Toolbar;
use crate::loaded::{LoadedDashboard, use_dashboard};
use crate::localization::use_localization;
use crate::text::Text;

/// The list of payments, and everything around it.
#[component]
pub(super) fn PaymentsDashboard(
    dashboard: LoadedDashboard,
    /// When the list was last refreshed (RFC 3339).
    updated_at: StoredValue<String>,
) -> AnyView {
    provide_context(dashboard);
    let has_payments = dashboard.memo(|dashboard| !dashboard.list.payments().is_empty());
    let has_selection = dashboard.memo(|dashboard| dashboard.selection().next().is_some());
    let title = FocusTarget::new();
    view! {
        <section class="dashboard" part="dashboard" aria-labelledby="payments">
            <TestMode/>
            <Header title=title/>
            <RefreshFailure updated_at/>
            <UnreadableRecords/>
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
            <CancelDialog title=title/>
            <DetailsDialog title=title/>
            <LinkDialog title=title/>
        </section>
    }
    .into_any()
}

#[component]
fn TestMode() -> AnyView {
    let locale = use_localization();
    let is_test = use_dashboard().memo(Dashboard::is_test);
    view! {
        <Show when=move || is_test.get()>
            <TestModeBanner text=locale.t(Text::TestMode)/>
        </Show>
    }
    .into_any()
}

#[component]
fn Header(
    /// The heading takes the focus of a control that is removed.
    title: FocusTarget,
) -> AnyView {
    let dashboard = use_dashboard();
    let locale = use_localization();
    let has_key = dashboard.memo(|dashboard| dashboard.key.is_some());
    let has_links = dashboard.memo(|dashboard| dashboard.link_limits().is_some());
    view! {
        <header class="heading">
            <h2 id="payments" tabindex="-1" use:restore_focus use:focus_target=title>
                {locale.t(Text::Payments)}
            </h2>
            <div class="buttons">
                <NewPayments title=title/>
                <Show when=move || has_links.get()>
                    <ActionButton
                        class="quiet"
                        part="create-link"
                        text=Text::LinkCreate
                        event=Event::LinkRequested
                        use:pass_focus=title
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
        </header>
    }
    .into_any()
}

/// Shows the new payments that are hidden for now. The button is not above the rows, because it would
/// move them.
#[component]
fn NewPayments(
    /// Takes the focus when the button is removed.
    title: FocusTarget,
) -> AnyView {
    let dashboard = use_dashboard();
    let locale = use_localization();
    let count = move || dashboard.with(|dashboard| dashboard.hidden.len());
    let label = Signal::derive(move || locale.format_count(Text::NewPayments, count()));
    view! {
        <div class="news" role="status">
            <Show when=move || count() != 0>
                <button
                    type="button"
                    class="quiet"
                    part="show-new"
                    on:click=move |_| dashboard.dispatch(Event::ShowNewRequested)
                    use:pass_focus=title
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
    let locale = use_localization();
    let failure = use_dashboard().memo(|dashboard| match &dashboard.refresh {
        Refresh::Failed(failure) => Some(failure_text(failure)),
        Refresh::Idle | Refresh::Loading(_) => None,
    });
    (move || {
        failure.get().map(|failure| {
            let text = locale.t(failure);
            let when = locale.time(&updated_at.get_value());
            let title = locale.format(Text::NotUpdated, &[("when", &when)]);
            view! { <Alert title=title message=text/> }
        })
    })
    .into_any()
}

/// How many records could not be read.
#[component]
fn UnreadableRecords() -> AnyView {
    let dashboard = use_dashboard();
    let locale = use_localization();
    let count = move || dashboard.with(|dashboard| dashboard.list.unreadable());
    let text = Signal::derive(move || locale.format_count(Text::Unreadable, count()));
    view! {
        <Show when=move || count() != 0>
            <p class="problem" use:dynamic_text=text></p>
        </Show>
    }
    .into_any()
}

#[component]
fn NoPayments() -> AnyView {
    let locale = use_localization();
    view! {
        <div class="ended">
            <p><strong>{locale.t(Text::Empty)}</strong></p>
            <p class="hint">{locale.t(Text::EmptyHint)}</p>
            <p class="hint">{locale.t(Text::EmptyNext)}</p>
        </div>
    }
    .into_any()
}

#[component]
fn CancelSelectedButton() -> AnyView {
    let dashboard = use_dashboard();
    let locale = use_localization();
    let label = Signal::derive(move || {
        let count = dashboard.with(|dashboard| dashboard.selection().count());
        locale.format_count(Text::CancelSelected, count)
    });
    view! {
        <button
            type="button"
            class="danger"
            part="cancel-selected"
            on:click=move |_| dashboard.dispatch(Event::CancelSelectedRequested)
            use:dynamic_text=label
        ></button>
    }
    .into_any()
}
