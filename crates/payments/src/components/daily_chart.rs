use leptos::prelude::*;
use tender_payments_core::{Day, StatusSum};
use tender_protocol::{PaymentState, Status};

use crate::localization::use_localization;
use crate::text::Text;

/// The height of a chart, and the width of a day in it, in the chart's own units.
const HEIGHT: u128 = 48;
const DAY_WIDTH: usize = 20;
/// The minimum number of days that a chart has room for.
const MIN_DAYS: usize = 7;

/// The data of the charts.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct ChartData {
    /// The days, oldest first.
    pub(super) days: Vec<Day>,
    /// The statuses.
    pub(super) statuses: Vec<ChartStatus>,
}

/// A status in the charts.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ChartStatus {
    pub(super) status: Status,
    /// What it means, if the proxy says so.
    pub(super) state: Option<PaymentState>,
}

/// One bar chart of the payments per day, and one of the US dollars. A single day has nothing to compare, so there is
/// none.
#[component]
pub(super) fn DailyCharts(data: Memo<ChartData>) -> AnyView {
    let payments = |sum: &StatusSum| u128::try_from(sum.payments).unwrap_or(u128::MAX);
    let cents = |sum: &StatusSum| sum.usd.to_base_units(2).digits.parse().unwrap_or(u128::MAX);
    let has_several = Memo::new(move |_| data.with(|data| data.days.len() > 1));
    view! {
        <Show when=move || has_several.get()>
            <div class="pictures">
                <BarChart data=data title=Text::DaysByPayments value=payments/>
                <BarChart data=data title=Text::UsDollars value=cents/>
            </div>
            <Legend data=data/>
        </Show>
    }
    .into_any()
}

/// One bar per day, with a segment per status. The table next to it has the same numbers, so screen
/// readers skip the chart.
#[component]
fn BarChart(data: Memo<ChartData>, title: Text, value: fn(&StatusSum) -> u128) -> AnyView {
    let locale = use_localization();
    let view_box = move || {
        let days = data.with(|data| data.days.len());
        format!("0 0 {} {HEIGHT}", days.max(MIN_DAYS) * DAY_WIDTH)
    };
    let segments = move || {
        let segments = data.with(|data| segments(data, value)).into_iter();
        segments
            .map(|segment| {
                view! {
                    <rect
                        class=segment.colour
                        x=segment.x.to_string()
                        y=segment.y.to_string()
                        width=(DAY_WIDTH - 4).to_string()
                        height=segment.height.to_string()
                    ></rect>
                }
            })
            .collect_view()
    };
    view! {
        <figure>
            <svg viewBox=view_box aria-hidden="true" focusable="false">{segments}</svg>
            <figcaption class="label">{locale.t(title)}</figcaption>
        </figure>
    }
    .into_any()
}

/// A part of a bar.
struct Segment {
    /// The class of its colour.
    colour: &'static str,
    x: usize,
    y: u128,
    height: u128,
}

fn segments(data: &ChartData, value: fn(&StatusSum) -> u128) -> Vec<Segment> {
    let total = |day: &Day| {
        let values = day.sums.iter().map(value);
        values.fold(0_u128, u128::saturating_add)
    };
    let max = data.days.iter().map(total).max().unwrap_or_default().max(1);
    let mut segments = Vec::new();
    for (index, day) in data.days.iter().enumerate() {
        let mut y = HEIGHT;
        for (at, ChartStatus { status, state }) in data.statuses.iter().enumerate() {
            let sum = day.sums.iter().find(|sum| sum.status == *status);
            let Some(sum) = sum else { continue };
            // Rounding up must not make the bar higher than the chart.
            let height = value(sum).saturating_mul(HEIGHT).div_ceil(max).min(y);
            y -= height;
            segments.push(Segment {
                colour: colour(at, *state),
                x: index * DAY_WIDTH + 2,
                y,
                height,
            });
        }
    }
    segments
}

/// The legend: the colour of each status.
#[component]
fn Legend(data: Memo<ChartData>) -> AnyView {
    let statuses = Memo::new(move |_| data.with(|data| data.statuses.clone()));
    let items = move || {
        let statuses = statuses.get().into_iter().enumerate();
        statuses
            .map(|(at, ChartStatus { status, state })| {
                let text = status.text().to_owned();
                view! { <li><i class=colour(at, state)></i><bdi>{text}</bdi></li> }
            })
            .collect_view()
    };
    view! { <ul class="legend">{items}</ul> }.into_any()
}

/// The class of a status' colour: that of its meaning if it is known, otherwise one for its position.
fn colour(at: usize, state: Option<PaymentState>) -> &'static str {
    match (state, at % 4) {
        (Some(PaymentState::Paid), _) | (None, 0) => "s0",
        (Some(PaymentState::Closed), _) => "s4",
        (Some(PaymentState::Open), 0 | 2) | (None, 1) => "s1",
        (Some(PaymentState::Open), _) | (None, 2) => "s2",
        (None, _) => "s3",
    }
}
