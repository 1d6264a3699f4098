//! The number of payments and their US dollars per day, by status, over the loaded payments.

use std::collections::BTreeMap;
use std::fmt;
use std::iter::successors;

use tender_protocol::{Amount, Payment, Status};

/// The sums of one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// `YYYY/MM/DD`, as the service writes dates.
    pub date: String,
    /// One sum for each status that occurs on this day, in no particular order.
    pub sums: Vec<StatusSum>,
}

/// The payments of one day that have the same status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusSum {
    /// The status.
    pub status: Status,
    /// The number of payments.
    pub payments: usize,
    /// The sum of their prices in US dollars. A payment without a price counts as 0.
    pub usd: Amount,
}

impl Day {
    /// The number of payments on this day.
    #[must_use]
    pub fn payments(&self) -> usize {
        self.sums.iter().map(|sum| sum.payments).sum()
    }
}

/// The last days up to the latest payment, newest first, at most `max_days` of them. Days without a
/// payment are included between days with one. Payments without a valid date are ignored.
#[must_use]
pub fn daily_sums<'a>(
    payments: impl IntoIterator<Item = &'a Payment>,
    max_days: usize,
) -> Vec<Day> {
    let mut sums: BTreeMap<Date, Vec<StatusSum>> = BTreeMap::new();
    for payment in payments {
        if let Some(date) = payment.created_at.as_deref().and_then(Date::parse) {
            add(sums.entry(date).or_default(), payment);
        }
    }
    let first = sums.keys().next().copied();
    let last = sums.keys().next_back().copied();
    successors(last, |date| date.previous())
        .take_while(|date| Some(*date) >= first)
        .take(max_days)
        .map(|date| Day {
            date: date.to_string(),
            sums: sums.remove(&date).unwrap_or_default(),
        })
        .collect()
}

/// A date of the service, `YYYY/MM/DD`, as ISO 8601 writes it: `YYYY-MM-DD`. `None` if it is no date of the calendar.
#[must_use]
pub fn iso_date(date: &str) -> Option<String> {
    Date::parse(date).map(|date| date.to_string().replace('/', "-"))
}

fn add(sums: &mut Vec<StatusSum>, payment: &Payment) {
    let usd = payment.price_usd.clone().unwrap_or_default();
    match sums.iter_mut().find(|sum| sum.status == payment.status) {
        Some(sum) => {
            sum.payments += 1;
            sum.usd = sum.usd.plus(&usd);
        }
        None => sums.push(StatusSum {
            status: payment.status.clone(),
            payments: 1,
            usd,
        }),
    }
}

/// A date of the Gregorian calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Reads `YYYY/MM/DD`, as the service writes `createdAt`.
    fn parse(text: &str) -> Option<Self> {
        let pattern = "dddd/dd/dd".bytes();
        let has_pattern = text.len() == pattern.len()
            && text
                .bytes()
                .zip(pattern)
                .all(|(byte, pattern)| match pattern {
                    b'd' => byte.is_ascii_digit(),
                    other => byte == other,
                });
        let mut parts = text.split('/').filter(|_| has_pattern);
        let date = Self {
            year: parts.next()?.parse().ok()?,
            month: parts.next()?.parse().ok()?,
            day: parts.next()?.parse().ok()?,
        };
        let is_valid = (1..=12).contains(&date.month)
            && (1..=days_in_month(date.year, date.month)).contains(&date.day);
        is_valid.then_some(date)
    }

    /// The previous day; `None` before year 0.
    fn previous(self) -> Option<Self> {
        let Self { year, month, day } = self;
        Some(match (month, day) {
            (1, 1) => Self {
                year: year.checked_sub(1)?,
                month: 12,
                day: 31,
            },
            (_, 1) => Self {
                year,
                month: month - 1,
                day: days_in_month(year, month - 1),
            },
            _ => Self {
                year,
                month,
                day: day - 1,
            },
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(formatter, "{year:04}/{month:02}/{day:02}")
    }
}

/// The number of days in a month.
fn days_in_month(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
