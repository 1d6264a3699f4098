//! Filtering the loaded payments by token and day, sorting them, and exporting what is shown.

use serde_json::{Value, json};
use tender_payments_core::filter::{payment_tokens, states};
use tender_payments_core::{Effect, Event, Filter, Sort};
use tender_protocol::PaymentState;
use tender_protocol::client::typed::DecimalSeparator;

use crate::simulation::{Simulation, record};

/// The number of a payment, its token, its day and its price in US dollars.
const PAYMENTS: [(usize, &str, &str, Option<&str>); 5] = [
    (5, "BTC", "2026/11/21", Some("9.5")),
    (4, "TRX", "2026/11/20", None),
    (3, "BTC", "2026/11/20", Some("10.05")),
    (2, "USDTE", "soon", Some("10.5")),
    (1, "TRX", "2026/10/31", Some("9.5")),
];

fn open() -> Simulation {
    Simulation::of(PAYMENTS.map(|(number, token, day, usd)| {
        let mut row = record(number);
        row["paymentToken"] = json!(token);
        row["createdAt"] = json!(day);
        // The exact digits, as a number.
        row["priceUsd"] = usd.map_or(Value::Null, |usd| usd.parse().unwrap());
        row
    }))
}

#[test]
fn payments_are_filtered_by_token_and_day() {
    let mut simulation = open();
    let tokens = payment_tokens(simulation.dashboard().visible());
    assert_eq!(tokens, ["BTC", "TRX", "USDTE"]);
    simulation.filter(|filter| filter.payment_token = Some("TRX".to_owned()));
    assert_eq!(simulation.shown(), ["t-4", "t-1"]);
    simulation.filter(|filter| filter.from = "2026-11-01".to_owned());
    assert_eq!(simulation.shown(), ["t-4"]);
    simulation.filter(|filter| filter.payment_token = None);
    assert_eq!(simulation.shown(), ["t-5", "t-4", "t-3"], "no other dates");
    simulation.filter(|filter| filter.to = "2026-11-20".to_owned());
    assert_eq!(simulation.shown(), ["t-4", "t-3"], "both days are included");
    simulation.filter(|filter| filter.from.clear());
    assert_eq!(simulation.shown(), ["t-4", "t-3", "t-1"]);
    simulation.run(Event::FilterChanged(Filter::default()));
    assert_eq!(simulation.shown().len(), PAYMENTS.len());
}

#[test]
fn payments_are_sorted_by_day_and_by_price() {
    let mut simulation = open();
    for (sort, expected) in [
        (Sort::Oldest, ["t-1", "t-2", "t-3", "t-4", "t-5"]),
        // Two have the same price, and stay in the service's order.
        (Sort::Highest, ["t-2", "t-3", "t-5", "t-1", "t-4"]),
        (Sort::Lowest, ["t-5", "t-1", "t-3", "t-2", "t-4"]),
        (Sort::Newest, ["t-5", "t-4", "t-3", "t-2", "t-1"]),
    ] {
        simulation.run(Event::SortChanged(sort));
        assert_eq!(simulation.shown(), expected, "{sort:?}");
    }
}

#[test]
fn what_is_shown_is_exported_in_its_order() {
    let mut simulation = open();
    simulation.filter(|filter| filter.payment_token = Some("BTC".to_owned()));
    simulation.run(Event::SortChanged(Sort::Highest));
    simulation.send(Event::ExportRequested(DecimalSeparator::Point));
    let Some(Effect::OfferCsv(content)) = simulation.others.last() else {
        panic!("nothing is exported");
    };
    let content = content
        .strip_prefix('\u{feff}')
        .expect("spreadsheets need the byte order mark");
    let ids: Vec<_> = content.lines().skip(1).map(|line| &line[..3]).collect();
    assert_eq!(ids, ["t-3", "t-5"]);
}

/// The payments of an older page belong between the sorted ones, so the pager shows the loaded ones only.
#[test]
fn sorted_payments_are_loaded_further_on_request_only() {
    let mut simulation = Simulation::open(60);
    simulation.run(Event::SortChanged(Sort::Oldest));
    assert!(!simulation.dashboard().has_older());
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.cursors.len(), 1);
    simulation.run(Event::SearchOlderRequested);
    assert_eq!(simulation.cursors.len(), 2);
    assert_eq!(simulation.shown()[0], "t-21");
    assert!(
        simulation.dashboard().has_older(),
        "there are two pages now"
    );
}

#[test]
fn payments_are_filtered_by_what_their_status_means() {
    let states_of = ["underpaid", "unknown", "pending", "underpaid", "no state"];
    let rows = states_of.iter().enumerate().map(|(number, state)| {
        let mut row = record(number);
        row["state"] = json!(state);
        row
    });
    let mut simulation = Simulation::of(rows);
    assert_eq!(
        states(simulation.dashboard().visible()),
        [
            PaymentState::Pending,
            PaymentState::Underpaid,
            PaymentState::Unknown
        ]
    );
    simulation.filter(|filter| filter.state = Some(PaymentState::Underpaid));
    assert_eq!(simulation.shown(), ["t-0", "t-3"]);
    assert!(!simulation.dashboard().is_whole_list());
    simulation.run(Event::FilterChanged(Filter::default()));
    assert_eq!(simulation.shown().len(), 5);
}
