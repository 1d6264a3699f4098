use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::filter::statuses;
use tender_payments_core::{Dashboard, Day, StatusSum, daily_sums};

use super::amount::UsdAmount;
use super::daily_chart::{ChartData, ChartStatus, DailyCharts};
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// The maximum number of days.
const MAX_DAYS: usize = 14;

/// Payments and US dollars per day, as charts and as a table.
#[component]
pub(super) fn DailySums() -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let data = Memo::new(move |_| driver.dashboard(chart_data).unwrap_or_default());
    let has_days = Memo::new(move |_| data.with(|data| !data.days.is_empty()));
    let hint = Signal::derive(move || {
        let count = driver.dashboard(|dashboard| dashboard.visible().count());
        locale.format_count(Text::DaysHint, count.unwrap_or_default())
    });
    view! {
        <Show when=move || has_days.get()>
            <details class="days" part="days">
                <summary>{locale.t(Text::Days)}</summary>
                <p class="hint" use:dynamic_text=hint></p>
                <DailyCharts data=data/>
                <DailyTable data=data/>
            </details>
        </Show>
    }
    .into_any()
}

fn chart_data(dashboard: &Dashboard) -> ChartData {
    let mut days = daily_sums(dashboard.visible(), MAX_DAYS);
    days.reverse();
    let statuses = statuses(dashboard.visible()).into_iter().map(|status| {
        let mut payments = dashboard.visible();
        let payment = payments.find(|payment| payment.status == status);
        ChartStatus {
            state: payment.and_then(|payment| payment.state),
            status,
        }
    });
    ChartData {
        days,
        statuses: statuses.collect(),
    }
}

/// The same numbers for screen readers, and for exact reading.
#[component]
fn DailyTable(data: Memo<ChartData>) -> AnyView {
    let locale = use_localization();
    let columns = [
        Text::Date,
        Text::Status,
        Text::DaysByPayments,
        Text::UsDollars,
    ];
    let columns = columns.map(|text| view! { <th scope="col">{locale.t(text)}</th> });
    let rows = move || {
        let rows = |data: &ChartData| data.days.iter().rev().flat_map(rows_of).collect_view();
        data.with(rows)
    };
    view! {
        <div
            class="sheet small"
            role="region"
            aria-label=locale.t(Text::DaysTable)
            tabindex="0"
        >
            <table>
                <caption class="sr">{locale.t(Text::Days)}</caption>
                <thead><tr>{columns.into_iter().collect_view()}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// One row per status; one row without a status if there are no payments on the day.
fn rows_of(day: &Day) -> Vec<AnyView> {
    let row = |sum: Option<StatusSum>| {
        let (status, payments, usd) = match sum {
            Some(sum) => (sum.status.text().to_owned(), sum.payments, sum.usd),
            None => Default::default(),
        };
        view! {
            <tr>
                <th scope="row"><bdi>{day.date.clone()}</bdi></th>
                <td><bdi>{status}</bdi></td>
                <td>{payments.to_string()}</td>
                <td><UsdAmount amount=usd/></td>
            </tr>
        }
        .into_any()
    };
    if day.sums.is_empty() {
        vec![row(None)]
    } else {
        day.sums.iter().cloned().map(|sum| row(Some(sum))).collect()
    }
}
