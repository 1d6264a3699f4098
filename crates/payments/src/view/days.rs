//! A small picture of the last days, and the same as a table.

use leptos::prelude::{Get, Memo, With};
use tender_element_legacy::dom::{El, el, svg};
use tender_element_legacy::speech::say;
use tender_payments_core::filter::statuses;
use tender_payments_core::text::Text;
use tender_payments_core::{Dashboard, Day, StatusSum, daily_sums};
use tender_protocol::{Amount, Status};

use super::counted;
use super::row::grouped;
use crate::driver::Driver;

/// Days in the picture.
const DAYS: usize = 14;
/// Its height, and what a day takes of its width, in its own units.
const HEIGHT: u128 = 48;
const STEP: usize = 20;
/// Patterns of bars that the stylesheet knows.
const PATTERNS: usize = 5;

/// What is drawn: the days, oldest first, and the statuses, each with its pattern.
type Drawn = (Vec<Day>, Vec<Status>);

/// Whether there is a day to show.
pub(super) fn are_known(desk: &Dashboard) -> bool {
    !daily_sums(desk.visible(), 1).is_empty()
}

pub(super) fn days(driver: Driver) -> El {
    let drawn = Memo::new(move |_| {
        let drawn = driver.desk(|desk| {
            let mut days = daily_sums(desk.visible(), DAYS);
            days.reverse();
            (days, statuses(desk.visible()))
        });
        drawn.unwrap_or_default()
    });
    let hint = move || {
        let count = driver.desk(|desk| desk.visible().count());
        counted(Text::DaysHint, count.unwrap_or_default())
    };
    el("details")
        .class("days")
        .part("days")
        .child(el("summary").text(&say(Text::Days)))
        .child(el("p").class("hint").live_text(hint))
        .live_children(move || drawn.get(), pictures)
        .child(as_table(driver, drawn))
}

fn pictures((days, statuses): &Drawn) -> [El; 2] {
    let payments = picture(days, statuses, Text::DaysByPayments, &|sum| {
        u128::try_from(sum.payments).unwrap_or(u128::MAX)
    });
    let dollars = picture(days, statuses, Text::UsDollars, &|sum| {
        sum.usd.to_base_units(2).digits.parse().unwrap_or(u128::MAX)
    });
    let legend = statuses.iter().enumerate().map(|(index, status)| {
        el("li")
            .child(el("i").class(&pattern(index)))
            .child(el("bdi").text(status.text()))
    });
    [
        el("div").class("pictures").child(payments).child(dollars),
        el("ul").class("legend").children(legend),
    ]
}

/// Bars, one for each day, of one number.
fn picture(
    days: &[Day],
    statuses: &[Status],
    title: Text,
    value: &dyn Fn(&StatusSum) -> u128,
) -> El {
    let total = |day: &Day| {
        let values = day.sums.iter().map(value);
        values.fold(0_u128, u128::saturating_add)
    };
    let most = days.iter().map(total).max().unwrap_or_default().max(1);
    let mut bars = Vec::new();
    for (index, day) in days.iter().enumerate() {
        let mut top = HEIGHT;
        for (place, status) in statuses.iter().enumerate() {
            let Some(sum) = day.sums.iter().find(|sum| sum.status == *status) else {
                continue;
            };
            // At most HEIGHT, but for what is past all reckoning.
            let height = value(sum).saturating_mul(HEIGHT).div_ceil(most).min(top);
            top -= height;
            let bar = svg("rect")
                .class(&pattern(place))
                .attr("x", &(index * STEP + 2).to_string())
                .attr("y", &top.to_string())
                .attr("width", &(STEP - 4).to_string())
                .attr("height", &height.to_string());
            bars.push(bar);
        }
    }
    let frame = format!("0 0 {} {HEIGHT}", days.len().max(7) * STEP);
    let picture = svg("svg")
        .attr("viewBox", &frame)
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
        .children(bars);
    let caption = el("figcaption").class("label").text(&say(title));
    el("figure").child(picture).child(caption)
}

fn pattern(index: usize) -> String {
    format!("s{}", index % PATTERNS)
}

/// The same, to be read.
fn as_table(driver: Driver, drawn: Memo<Drawn>) -> El {
    let lines = move || drawn.with(|(days, _)| days.iter().rev().flat_map(lines).collect());
    let heads = [
        Text::Date,
        Text::Status,
        Text::DaysByPayments,
        Text::UsDollars,
    ];
    let heads = heads.map(|text| el("th").attr("scope", "col").text(&say(text)));
    let table = el("table")
        .child(el("caption").class("sr").text(&say(Text::Days)))
        .child(el("thead").child(el("tr").children(heads)))
        .child(el("tbody").live_list(lines, move |line| [row(driver, line)]));
    el("div")
        .class("sheet small")
        .attr("role", "region")
        .attr("aria-label", &say(Text::DaysTable))
        .attr("tabindex", "0")
        .child(table)
}

/// A line of the table: what there is of a status on a day; of none, where there is nothing.
#[derive(PartialEq)]
struct Line {
    date: String,
    sum: Option<StatusSum>,
}

fn lines(day: &Day) -> Vec<Line> {
    let line = |sum| Line {
        date: day.date.clone(),
        sum,
    };
    if day.sums.is_empty() {
        return vec![line(None)];
    }
    day.sums
        .iter()
        .cloned()
        .map(|sum| line(Some(sum)))
        .collect()
}

fn row(driver: Driver, Line { date, sum }: &Line) -> El {
    let (status, payments, usd) = match sum {
        Some(sum) => (sum.status.text(), sum.payments, sum.usd.clone()),
        None => ("", 0, Amount::default()),
    };
    let usd = grouped(driver, el("bdi").attr("dir", "ltr"), &usd, 2);
    let date = el("bdi").text(date);
    el("tr")
        .child(el("th").attr("scope", "row").child(date))
        .child(el("td").child(el("bdi").text(status)))
        .child(el("td").text(&payments.to_string()))
        .child(el("td").child(usd))
}
