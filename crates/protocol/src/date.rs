//! Dates as the service writes them (the service's document, "Payment record").

use std::fmt;

/// A date of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Reads `YYYY/MM/DD`, as the service writes `createdAt`. `None` if it is no date of the calendar.
    pub fn parse(text: &str) -> Option<Self> {
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

    /// Year, month and day of the month, from 1.
    pub const fn parts(self) -> (u16, u8, u8) {
        (self.year, self.month, self.day)
    }

    /// `YYYY-MM-DD` (ISO 8601).
    pub fn iso(self) -> String {
        self.to_string().replace('/', "-")
    }

    /// The previous day; `None` before year 0.
    pub fn previous(self) -> Option<Self> {
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

/// As the service writes it.
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
