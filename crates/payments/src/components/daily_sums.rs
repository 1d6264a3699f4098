use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::filter::statuses;
use tender_payments_core::{Dashboard, Day, StatusSum, daily_sums};

use super::amount::UsdAmount;
use super::daily_chart::{ChartData, DailyCharts, chart_statuses};
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The maximum number of days.
const MAX_DAYS: usize = 14;

/// Payments and US dollars per day, as charts and as a table.
#[component]
pub(super) fn DailySums() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let data = driver.memo(chart_data);
    let has_days = Memo::new(move |_| data.with(|data| !data.days.is_empty()));
    let title = Signal::derive(move || data.with(|data| title(l10n, data)));
    let hint = Signal::derive(move || {
        let count = driver.with_dashboard(|dashboard| dashboard.visible().count());
        l10n.format_count(Text::DaysHint, count)
    });
    view! {
        <Show when=move || has_days.get()>
            <details class="days" part="days">
                <summary use:dynamic_text=title></summary>
                <p class="hint" use:dynamic_text=hint></p>
                <DailyCharts data=data/>
                <DailyTable data=data/>
            </details>
        </Show>
    }
    .into_any()
}

/// `Daily totals: Nov 17, 2026 – Nov 21, 2026`
fn title(l10n: Localization, data: &ChartData) -> String {
    let dates = [data.days.first(), data.days.last()];
    let mut dates: Vec<_> = dates
        .into_iter()
        .flatten()
        .map(|day| l10n.date(&day.date))
        .collect();
    dates.dedup();
    l10n.labelled(&l10n.t(Text::Days), &dates.join(" – "))
}

fn chart_data(dashboard: &Dashboard) -> ChartData {
    let mut days = daily_sums(dashboard.visible(), MAX_DAYS);
    days.reverse();
    let statuses = statuses(dashboard.visible()).into_iter().map(|status| {
        let mut payments = dashboard.visible();
        let payment = payments.find(|payment| payment.status == status);
        (status, payment.and_then(|payment| payment.state))
    });
    ChartData {
        days,
        statuses: chart_statuses(statuses),
    }
}

/// The same numbers for screen readers, and for exact reading.
#[component]
fn DailyTable(data: Memo<ChartData>) -> AnyView {
    let l10n = use_localization();
    let columns = [
        Text::Date,
        Text::Status,
        Text::DaysByPayments,
        Text::UsDollars,
    ];
    let columns = columns.map(|text| view! { <th scope="col">{l10n.t(text)}</th> });
    let rows = move || {
        data.with(|data| {
            let days = data.days.iter().rev();
            days.map(|day| view! { <tbody>{rows_of(l10n, day)}</tbody> })
                .collect_view()
        })
    };
    view! {
        <div
            class="sheet small"
            role="region"
            aria-label=l10n.t(Text::DaysTable)
            tabindex="0"
        >
            <table>
                <caption class="sr">{l10n.t(Text::Days)}</caption>
                <thead><tr>{columns.into_iter().collect_view()}</tr></thead>
                {rows}
            </table>
        </div>
    }
    .into_any()
}

/// One row per status; one row without a status if there are no payments on the day. The first one has the date.
fn rows_of(l10n: Localization, day: &Day) -> Vec<AnyView> {
    let date = |rows: usize| {
        let date = l10n.date(&day.date);
        view! { <th scope="rowgroup" rowspan=rows.to_string()><bdi>{date}</bdi></th> }
    };
    let row = |date: Option<_>, sum: Option<StatusSum>| {
        let (status, payments, usd) = match sum {
            Some(sum) => (sum.status.shown(), sum.payments, sum.usd),
            None => Default::default(),
        };
        view! {
            <tr>
                {date}
                <td><bdi>{status}</bdi></td>
                <td>{payments.to_string()}</td>
                <td><UsdAmount amount=usd/></td>
            </tr>
        }
        .into_any()
    };
    if day.sums.is_empty() {
        return vec![row(Some(date(1)), None)];
    }
    let count = day.sums.len();
    let sums = day.sums.iter().cloned().enumerate();
    sums.map(|(at, sum)| row((at == 0).then(|| date(count)), Some(sum)))
        .collect()
}
