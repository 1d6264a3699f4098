//! The number of payments and their US dollars per day, by status, over the loaded payments.

use std::collections::BTreeMap;
use std::iter::successors;

use tender_protocol::{Amount, Date, Payment, Status};

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

/// The last days up to the latest payment, newest first, at most `max_days` of them. Days without a
/// payment are included between days with one. Payments without a valid date are ignored.
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
