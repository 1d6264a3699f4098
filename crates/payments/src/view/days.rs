//! A small picture of the last days, and the same as a table.

use leptos::prelude::*;
use tender_element::number;
use tender_element::speech::{fill, say};
use tender_merchant::filter::statuses;
use tender_merchant::text::Text;
use tender_merchant::{Day, Sum, days as days_of};
use tender_protocol::{Amount, Status};

use crate::driver::Driver;

/// Days in the picture.
const DAYS: usize = 14;
/// Its height, and what a day takes of its width, in its own units.
const HEIGHT: u128 = 48;
const STEP: usize = 20;
/// Patterns of bars that the stylesheet knows.
const PATTERNS: usize = 5;

/// What is drawn: the days, oldest first, and the statuses, each with its pattern.
type Drawn = (Vec<Day>, Vec<Status>, usize);

pub(super) fn days(driver: Driver) -> AnyView {
    let drawn = Memo::new(move |_| {
        driver
            .desk(|desk| {
                let mut days = days_of(desk.loaded(), DAYS);
                days.reverse();
                (days, statuses(desk.loaded()), desk.loaded().count())
            })
            .unwrap_or_default()
    });
    let has_days = Memo::new(move |_| drawn.with(|(days, ..)| !days.is_empty()));
    view! {
        {move || has_days.get().then(|| view! {
            <details class="days" part="days">
                <summary>{say(Text::Days)}</summary>
                {move || drawn.with(|drawn| inside(drawn, &driver.locale()))}
            </details>
        })}
    }
    .into_any()
}

fn inside((days, statuses, count): &Drawn, locale: &str) -> AnyView {
    let one = |amount: &Amount| amount.to_base_units(2).digits.parse().unwrap_or(u128::MAX);
    let payments = picture(days, statuses, say(Text::DaysByPayments), |sum| {
        u128::try_from(sum.payments).unwrap_or(u128::MAX)
    });
    let dollars = picture(days, statuses, say(Text::UsDollars), |sum| one(&sum.usd));
    let legend = statuses.iter().enumerate().map(|(index, status)| {
        view! { <li><i class=pattern(index)></i><bdi>{status.text().to_owned()}</bdi></li> }
    });
    view! {
        <p class="hint">{fill(Text::DaysHint, &[("count", &count.to_string())])}</p>
        <div class="pictures">{payments}{dollars}</div>
        <ul class="legend">{legend.collect::<Vec<_>>()}</ul>
        {as_table(days, locale)}
    }
    .into_any()
}

/// Bars, one for each day, of one number.
fn picture(
    days: &[Day],
    statuses: &[Status],
    title: String,
    value: impl Fn(&Sum) -> u128,
) -> AnyView {
    let total = |day: &Day| {
        day.sums
            .iter()
            .map(&value)
            .fold(0_u128, u128::saturating_add)
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
            bars.push(view! {
                <rect class=pattern(place) x=(index * STEP + 2).to_string() y=top.to_string()
                    width=(STEP - 4).to_string() height=height.to_string()></rect>
            });
        }
    }
    let frame = format!("0 0 {} {HEIGHT}", days.len().max(7) * STEP);
    view! {
        <figure>
            <svg viewBox=frame aria-hidden="true" focusable="false">{bars}</svg>
            <figcaption class="label">{title}</figcaption>
        </figure>
    }
    .into_any()
}

fn pattern(index: usize) -> String {
    format!("s{}", index % PATTERNS)
}

/// The same, to be read.
fn as_table(days: &[Day], locale: &str) -> AnyView {
    let row = |day: &Day, status: String, payments: usize, usd: &Amount| {
        view! {
            <tr>
                <th scope="row"><bdi>{day.date.clone()}</bdi></th>
                <td><bdi>{status}</bdi></td>
                <td>{payments}</td>
                <td><bdi dir="ltr">{number::group(usd, 2, locale)}</bdi></td>
            </tr>
        }
    };
    let rows = days.iter().rev().flat_map(|day| {
        let of_status = |sum: &Sum| row(day, sum.status.text().to_owned(), sum.payments, &sum.usd);
        let empty = day.sums.is_empty();
        let empty = empty.then(|| row(day, String::new(), 0, &Amount::default()));
        let rows: Vec<_> = day.sums.iter().map(of_status).chain(empty).collect();
        rows
    });
    let heads = [
        Text::Date,
        Text::Status,
        Text::DaysByPayments,
        Text::UsDollars,
    ];
    let heads = heads.map(|text| view! { <th scope="col">{say(text)}</th> });
    view! {
        <div class="sheet small" role="region" aria-label=say(Text::DaysTable) tabindex="0">
            <table>
                <caption class="sr">{say(Text::Days)}</caption>
                <thead><tr>{heads.into_iter().collect::<Vec<_>>()}</tr></thead>
                <tbody>{rows.collect::<Vec<_>>()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
