//! CSV and daily sums, compared with independent implementations.

use bigdecimal::BigDecimal;
use jiff::ToSpan;
use proptest::prelude::*;
use serde_json::json;
use tender_payments_core::{csv, daily_sums};
use tender_protocol::client::typed::DecimalSeparator;
use tender_protocol::{Amount, Payment};

use crate::simulation::{payment, record};

fn write(payment: &Payment) -> String {
    csv::write([payment], DecimalSeparator::Point)
}

/// The rows as another CSV reader sees them, without the header.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), &csv::COLUMNS[..]);
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn amounts_keep_the_digits_of_the_service() {
    let json = r#"{"transactionId":"t","token":"BTC","paymentToken":"BTC","quantity":0.10000000,
        "quantityPay":"0.00000001","priceUsd":12345678901234567890.12,"statusId":"1","statusText":"Created","wallet":"w"}"#;
    let text = write(&Payment::parse(json).unwrap());
    let row = &rows(&text)[0];
    assert_eq!(
        row[5..10],
        [
            "0.10000000",
            "BTC",
            "0.00000001",
            "BTC",
            "12345678901234567890.12"
        ]
    );
    assert!(text.ends_with("\r\n") && text.matches('\n').count() == 2);
}

/// As Excel reads and writes it where decimals have a comma.
#[test]
fn with_decimal_commas_the_fields_are_separated_by_semicolons() {
    let mut row = record(1);
    row["quantity"] = json!("1.500");
    row["purchaseName"] = json!("Weber; Söhne, \"Jonas\"");
    let text = csv::write([&payment(&row)], DecimalSeparator::Comma);
    let mut reader = ::csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(b';').from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), &csv::COLUMNS[..]);
    let read: Vec<String> = reader.deserialize().next().unwrap().unwrap();
    assert_eq!(read[5], "1,500");
    assert_eq!(read[11], "Weber; Söhne, \"Jonas\"");
}

#[test]
fn a_text_that_looks_like_a_formula_is_escaped() {
    for start in [
        "=",
        "+",
        "-",
        "@",
        "\t",
        "\r",
        "\n",
        "＝",
        " =",
        "\u{a0}\u{3000}@",
        "\u{200b}=",
        "\u{feff}\u{2060}+",
        "\u{200c}-",
    ] {
        let mut row = record(1);
        let name = format!("{start}HYPERLINK(\"http://x\",\"y\")");
        row["purchaseName"] = json!(name);
        row["invoiceNumber"] = json!(name);
        let row = &rows(&write(&payment(&row)))[0];
        assert_eq!(
            [&row[1], &row[11]],
            [&format!("'{name}"), &format!("'{name}")]
        );
    }
}

/// A spreadsheet of a language that separates cells by semicolons, or a text import that separates them by tabs.
#[test]
fn a_text_after_another_separator_is_escaped_too() {
    for (name, escaped) in [
        ("a;=1+1", "a;'=1+1"),
        ("a\";\u{200b} =1;b", "a\";'\u{200b} =1;b"),
        ("a\t@b", "a\t'@b"),
        ("a\n\n-b", "a\n\n'-b"),
        ("a; b - c = d", "a; b - c = d"),
    ] {
        let mut row = record(1);
        row["purchaseName"] = json!(name);
        assert_eq!(rows(&write(&payment(&row)))[0][11], escaped);
    }
}

proptest! {
    #[test]
    fn any_text_can_be_read_back(text in "[\\PC\r\n\",'; =]{1,40}") {
        let mut row = record(1);
        row["purchaseName"] = json!(text);
        let read = &rows(&write(&payment(&row)))[0][11];
        let whole = if text.trim().is_empty() { "" } else { text.as_str() };
        prop_assert_eq!(read.replace('\'', ""), whole.replace('\'', ""));
        for cell in read.split([';', '\t', '\r', '\n']) {
            prop_assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']), "{:?}", read);
        }
    }

    #[test]
    fn sums_are_exact(prices in prop::collection::vec("(0|[1-9][0-9]{0,29})(\\.[0-9]{1,20})?", 1..30)) {
        let payments: Vec<_> = prices.iter().enumerate().map(|(number, price)| {
            let mut row = record(number);
            row["priceUsd"] = json!(price);
            row["createdAt"] = json!("2026/11/20");
            payment(&row)
        }).collect();
        let [day] = &daily_sums(&payments, 14)[..] else { panic!() };
        let sum: BigDecimal = prices.iter().map(|price| price.parse::<BigDecimal>().unwrap()).sum();
        let usd: Amount = day.sums[0].usd.clone();
        prop_assert_eq!(usd.to_string().parse::<BigDecimal>().unwrap(), sum);
        prop_assert_eq!(day.sums[0].payments, prices.len());
    }
}

/// A payment for each of these dates and statuses.
fn dated<'a>(payments: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Payment> {
    let payments = payments.into_iter().map(|(date, status)| {
        let mut row = record(1);
        row["createdAt"] = json!(date);
        row["statusText"] = json!(status);
        payment(&row)
    });
    payments.collect()
}

#[test]
fn the_latest_days_are_summed_by_status() {
    let payments = dated([
        ("2026/11/21", "Created"),
        ("2026/11/19", "Paid"),
        ("2026/11/21", "Paid"),
        ("yesterday", "Paid"),
        ("2026/11/20", "Paid"),
        ("2026/11/21", "Created"),
    ]);
    let days = daily_sums(&payments, 2);
    let sums = days.iter().flat_map(|day| {
        let sums = day.sums.iter();
        sums.map(|sum| {
            format!(
                "{} {} {} {}",
                day.date,
                sum.status.text(),
                sum.payments,
                sum.usd
            )
        })
    });
    assert_eq!(
        sums.collect::<Vec<_>>(),
        [
            "2026/11/21 Created 2 97.0",
            "2026/11/21 Paid 1 48.5",
            "2026/11/20 Paid 1 48.5",
        ]
    );
}

/// The days with the number of payments on each, newest first.
fn counts(dates: &[&str], max_days: usize) -> Vec<(String, usize)> {
    let payments = dated(dates.iter().map(|date| (*date, "Created")));
    let days = daily_sums(&payments, max_days).into_iter();
    days.map(|day| (day.date, day.sums.iter().map(|sum| sum.payments).sum()))
        .collect()
}

#[test]
fn days_without_payments_are_included() {
    let day = |date: &str, payments| (date.to_owned(), payments);
    assert_eq!(
        counts(&["2024/03/02", "2024/02/28", "2024/03/02"], 14),
        [
            day("2024/03/02", 2),
            day("2024/03/01", 0),
            day("2024/02/29", 0),
            day("2024/02/28", 1),
        ]
    );
    assert_eq!(
        counts(&["2026/01/01", "1999/12/31"], 3),
        [
            day("2026/01/01", 1),
            day("2025/12/31", 0),
            day("2025/12/30", 0)
        ],
        "only the last days"
    );
    assert_eq!(counts(&[], 14), []);
    // The right pattern, but not in the calendar.
    let invalid = [
        "2026/02/29",
        "2026/13/01",
        "2026/00/10",
        "2026/04/31",
        "2026/05/00",
        "1900/02/29",
    ];
    assert_eq!(counts(&invalid, 14), []);
    assert_eq!(counts(&["0000/01/01"], 14), [day("0000/01/01", 1)]);
}

proptest! {
    /// Compared with another calendar implementation.
    #[test]
    fn consecutive_days_follow_the_calendar(first in 0..3_600_000_i64, apart in 0..70_i64) {
        let expected: Vec<_> = (first..=first + apart).rev().map(|day| {
            let date = jiff::civil::date(1, 1, 1).checked_add(day.days()).unwrap();
            date.strftime("%Y/%m/%d").to_string()
        }).collect();
        let days = counts(&[&expected[0], expected.last().unwrap()], 100).into_iter();
        prop_assert_eq!(days.map(|(date, _)| date).collect::<Vec<_>>(), expected);
    }
}
