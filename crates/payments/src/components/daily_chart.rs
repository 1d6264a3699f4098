use leptos::prelude::*;
use tender_payments_core::{Day, StatusSum};
use tender_protocol::{PaymentState, Status};

use super::amount::CENTS;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The height of a chart, the width of a bar, and the space for each day, in the chart's own units.
const HEIGHT: u128 = 48;
const BAR_WIDTH: usize = 16;
const MIN_DAY_WIDTH: usize = 20;
/// The minimum width of a chart: that of a week.
const MIN_WIDTH: usize = 7 * MIN_DAY_WIDTH;

/// The data of the charts.
#[derive(Clone, PartialEq, Eq)]
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
    /// The classes of its colour and its pattern.
    pub(super) classes: String,
}

/// One bar chart of the payments per day, and one of the US dollars. A single day has nothing to compare, so there is
/// none.
#[component]
pub(super) fn DailyCharts(data: Memo<ChartData>) -> AnyView {
    let payments = |sum: &StatusSum| u128::try_from(sum.payments).unwrap_or(u128::MAX);
    let cents = |sum: &StatusSum| sum.usd.to_base_units(2).parse().unwrap_or(u128::MAX);
    let has_several = Memo::new(move |_| data.with(|data| data.days.len() > 1));
    view! {
        <Show when=move || has_several.get()>
            <div class="pictures">
                <BarChart data=data title=Text::DaysByPayments value=payments written=payment_count/>
                <BarChart data=data title=Text::UsDollars value=cents written=dollars/>
            </div>
            <Legend data=data/>
        </Show>
    }
    .into_any()
}

fn payment_count(_: Localization, sums: &[StatusSum]) -> String {
    let payments: usize = sums.iter().map(|sum| sum.payments).sum();
    payments.to_string()
}

fn dollars(l10n: Localization, sums: &[StatusSum]) -> String {
    let amounts = sums.iter().map(|sum| sum.usd.clone());
    let sum = amounts.reduce(|sum, usd| sum.plus(&usd));
    l10n.amount(&sum.unwrap_or_default(), CENTS)
}

/// One bar per day, with a segment per status. The table next to it has the same numbers, so screen
/// readers skip the chart.
#[component]
fn BarChart(
    data: Memo<ChartData>,
    title: Text,
    value: fn(&StatusSum) -> u128,
    /// Writes the height of the highest bar.
    written: fn(Localization, &[StatusSum]) -> String,
) -> AnyView {
    let l10n = use_localization();
    let view_box = move || {
        let days = data.with(|data| data.days.len());
        format!("0 0 {} {HEIGHT}", days * day_width(days))
    };
    let highest = move || {
        data.with(|data| {
            let day = data.days.iter().max_by_key(|day| total(day, value));
            day.map(|day| written(l10n, &day.sums))
        })
    };
    let day = move |at: fn(&[Day]) -> Option<&Day>| {
        data.with(|data| at(&data.days).map(|day| l10n.day(&day.date)))
    };
    let segments = move || data.with(|data| segments(data, value));
    view! {
        <figure>
            <figcaption class="axis">
                <span>{l10n.t(title)}</span>
                <bdi aria-hidden="true">{highest}</bdi>
            </figcaption>
            <svg viewBox=view_box preserveAspectRatio="none" aria-hidden="true" focusable="false">
                {segments}
            </svg>
            <div class="axis" aria-hidden="true">
                <bdi>{move || day(<[Day]>::first)}</bdi>
                <bdi>{move || day(<[Day]>::last)}</bdi>
            </div>
        </figure>
    }
    .into_any()
}

/// The parts of the bars.
fn segments(data: &ChartData, value: fn(&StatusSum) -> u128) -> Vec<AnyView> {
    let totals = data.days.iter().map(|day| total(day, value));
    let max = totals.max().unwrap_or_default().max(1);
    let width = day_width(data.days.len());
    let mut segments = Vec::new();
    for (index, day) in data.days.iter().enumerate() {
        let mut y = HEIGHT;
        for ChartStatus { status, classes } in &data.statuses {
            let sum = day.sums.iter().find(|sum| sum.status == *status);
            let Some(sum) = sum else { continue };
            // Rounding up must not make the bar higher than the chart.
            let height = value(sum).saturating_mul(HEIGHT).div_ceil(max).min(y);
            y -= height;
            let x = index * width + (width - BAR_WIDTH) / 2;
            let segment = view! {
                <rect
                    class=classes.clone()
                    x=x.to_string()
                    y=y.to_string()
                    width=BAR_WIDTH.to_string()
                    height=height.to_string()
                ></rect>
            };
            segments.push(segment.into_any());
        }
    }
    segments
}

fn total(day: &Day, value: fn(&StatusSum) -> u128) -> u128 {
    let values = day.sums.iter().map(value);
    values.fold(0_u128, u128::saturating_add)
}

/// The space for each of these days.
fn day_width(days: usize) -> usize {
    (MIN_WIDTH / days.max(1)).max(MIN_DAY_WIDTH)
}

/// The legend: the colour and the pattern of each status.
#[component]
fn Legend(data: Memo<ChartData>) -> AnyView {
    let statuses = Memo::new(move |_| data.with(|data| data.statuses.clone()));
    let items = move || {
        let statuses = statuses.get().into_iter();
        statuses
            .map(|ChartStatus { status, classes }| {
                let text = status.shown();
                view! {
                    <li>
                        <svg class="key" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
                            <rect class=classes x="0" y="0" width="12" height="12"></rect>
                        </svg>
                        <bdi>{text}</bdi>
                    </li>
                }
            })
            .collect_view()
    };
    view! { <ul class="legend">{items}</ul> }.into_any()
}

/// The colours of statuses without a known meaning, in turn.
const COLOURS: [&str; 4] = ["s0", "s1", "s2", "s3"];
/// How a colour is filled, in turn, if several statuses have it.
const PATTERNS: [&str; 3] = ["solid", "outlined", "pale"];

/// The statuses with their classes: the colour is that of the status' meaning if it is known. Two statuses with the same
/// colour have different patterns.
pub(super) fn chart_statuses(
    statuses: impl Iterator<Item = (Status, Option<PaymentState>)>,
) -> Vec<ChartStatus> {
    let mut used = Vec::new();
    let mut in_turn = COLOURS.iter().cycle();
    let statuses = statuses.map(|(status, state)| {
        let colour = match state {
            Some(PaymentState::Paid) => "s0",
            Some(PaymentState::Open) => "s1",
            Some(PaymentState::Pending) => "s2",
            Some(PaymentState::Underpaid | PaymentState::Unknown) => "s3",
            Some(PaymentState::Closed) => "s4",
            None => in_turn.next().copied().unwrap_or_default(),
        };
        let earlier = used.iter().filter(|other| **other == colour).count();
        used.push(colour);
        let pattern = PATTERNS.iter().cycle().nth(earlier);
        let classes = format!("{colour} {}", pattern.copied().unwrap_or_default());
        ChartStatus { status, classes }
    });
    statuses.collect()
}
