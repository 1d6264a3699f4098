//! Payments and US dollars a day, by status: sums over what was read.

use tender_protocol::{Amount, Payment, Status};

/// One day, as the service writes its date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// `YYYY/MM/DD`; empty for payments without a date.
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

/// The latest `most` days that have payments, the latest first. Dates of the form `YYYY/MM/DD` are in order
/// as texts; what has none is left out.
#[must_use]
pub fn days<'a>(payments: impl IntoIterator<Item = &'a Payment>, most: usize) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    for payment in payments {
        let Some(date) = payment.created_at.as_deref().filter(|date| is_date(date)) else {
            continue;
        };
        let at = match days.binary_search_by(|day| date.cmp(&day.date)) {
            Ok(at) => at,
            Err(at) => {
                let date = date.to_owned();
                let sums = Vec::new();
                days.insert(at, Day { date, sums });
                at
            }
        };
        if let Some(day) = days.get_mut(at) {
            add(&mut day.sums, payment);
        }
    }
    days.truncate(most);
    days
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

fn is_date(text: &str) -> bool {
    let form = "dddd/dd/dd".bytes();
    text.len() == form.len()
        && text.bytes().zip(form).all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            other => byte == other,
        })
}
