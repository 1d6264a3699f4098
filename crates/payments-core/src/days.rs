//! Payments and US dollars a day, by status: sums over what was read.

use std::collections::BTreeMap;
use std::fmt;
use std::iter::successors;

use tender_protocol::{Amount, Payment, Status};

/// One day, as the service writes its date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// `YYYY/MM/DD`.
    pub date: String,
    /// What there is of each status, in the order of [`statuses`](crate::filter::statuses).
    pub sums: Vec<Sum>,
}

/// The payments of a day that have one status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Their status.
    pub status: Status,
    /// How many there are.
    pub payments: usize,
    /// Their prices in US dollars, together; those without a price count nothing.
    pub usd: Amount,
}

impl Day {
    /// All payments of the day.
    #[must_use]
    pub fn payments(&self) -> usize {
        self.sums.iter().map(|sum| sum.payments).sum()
    }
}

/// The latest `most` days, the latest first: from the first to the last that has payments, and those between
/// them that have none. Payments without a date of the calendar are left out.
#[must_use]
pub fn days<'a>(payments: impl IntoIterator<Item = &'a Payment>, most: usize) -> Vec<Day> {
    let mut sums: BTreeMap<Date, Vec<Sum>> = BTreeMap::new();
    for payment in payments {
        if let Some(date) = payment.created_at.as_deref().and_then(Date::parse) {
            add(sums.entry(date).or_default(), payment);
        }
    }
    let first = sums.keys().next().copied();
    let last = sums.keys().next_back().copied();
    successors(last, |date| date.before())
        .take_while(|date| Some(*date) >= first)
        .take(most)
        .map(|date| Day {
            date: date.to_string(),
            sums: sums.remove(&date).unwrap_or_default(),
        })
        .collect()
}

fn add(sums: &mut Vec<Sum>, payment: &Payment) {
    let usd = payment.price_usd.clone().unwrap_or_default();
    match sums.iter_mut().find(|sum| sum.status == payment.status) {
        Some(sum) => {
            sum.payments += 1;
            sum.usd = sum.usd.plus(&usd);
        }
        None => sums.push(Sum {
            status: payment.status.clone(),
            payments: 1,
            usd,
        }),
    }
}

/// A day of the calendar (Gregorian).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Reads `YYYY/MM/DD`, as the service writes `createdAt`.
    fn parse(text: &str) -> Option<Self> {
        let form = "dddd/dd/dd".bytes();
        let is_formed = text.len() == form.len()
            && text.bytes().zip(form).all(|(byte, form)| match form {
                b'd' => byte.is_ascii_digit(),
                other => byte == other,
            });
        let mut parts = text.split('/').filter(|_| is_formed);
        let date = Self {
            year: parts.next()?.parse().ok()?,
            month: parts.next()?.parse().ok()?,
            day: parts.next()?.parse().ok()?,
        };
        let is_real = (1..=12).contains(&date.month)
            && (1..=days_of(date.year, date.month)).contains(&date.day);
        is_real.then_some(date)
    }

    /// The day before, where there is one.
    fn before(self) -> Option<Self> {
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
                day: days_of(year, month - 1),
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

/// How many days a month has.
fn days_of(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
