//! Creating a payment link.

use serde_json::{Value, json};
use tender_payments_core::{Event, LinkDialog, LinkInput, LinkProblem, Request, link_days};
use tender_protocol::client::FetchResult;
use tender_protocol::client::typed::DecimalSeparator;
use tender_protocol::{NewOrder, PaymentLink};

use crate::simulation::{Simulation, ok, respond};

/// A dashboard whose proxy answers this to a request for its ledger.
fn open(links: &Value) -> Simulation {
    let mut simulation = Simulation::open(1);
    let ledger = json!({ "payments": [], "reconciling": [], "paymentLinks": links });
    simulation.finish(Request::Ledger(Vec::new()), ok(&ledger));
    simulation
}

fn with_links() -> Simulation {
    let mut simulation =
        open(&json!({ "maxQuantity": { "btc": 0.01, "usdtt": 500 }, "maxDays": 30 }));
    simulation.send(Event::LinkRequested);
    simulation
}

fn input(token: &str, quantity: &str, invoice: &str) -> LinkInput {
    LinkInput {
        token: token.into(),
        quantity: quantity.to_owned(),
        decimal_separator: DecimalSeparator::Point,
        invoice_number: invoice.to_owned(),
        days: 7,
    }
}

fn order() -> NewOrder {
    NewOrder {
        token: "usdtt".into(),
        quantity: "48.50".parse().unwrap(),
        invoice_number: "INV-1".to_owned(),
        expires: "7d".to_owned(),
    }
}

/// Submits the form. Returns the orders to sign.
fn submit(simulation: &mut Simulation, input: LinkInput) -> Vec<NewOrder> {
    simulation.requests.clear();
    simulation.send(Event::LinkSubmitted(input));
    let order = |sent: &(_, Request)| match sent {
        (None, Request::SignOrder(order)) => order.clone(),
        other => panic!("{other:?}"),
    };
    simulation.requests.iter().map(order).collect()
}

fn answer(simulation: &mut Simulation, result: FetchResult) -> LinkDialog {
    simulation.finish(Request::SignOrder(order()), result);
    simulation.dashboard().link.clone()
}

#[test]
fn a_proxy_without_links_has_no_dialog() {
    for mut simulation in [open(&Value::Null), Simulation::open(1)] {
        simulation.send(Event::LinkRequested);
        assert_eq!(simulation.dashboard().link, LinkDialog::Closed);
    }
}

#[test]
fn what_is_entered_is_checked_before_it_is_sent() {
    let mut simulation = with_links();
    for (entered, problem) in [
        (input("usdtt", "", "INV-1"), LinkProblem::Price),
        (input("usdtt", "12,50", "INV-1"), LinkProblem::Price),
        (input("usdtt", "0.00", "INV-1"), LinkProblem::Price),
        (input("usdtt", "-1", "INV-1"), LinkProblem::Price),
        (
            input("usdtt", "500.000001", "INV-1"),
            LinkProblem::PriceTooHigh,
        ),
        (input("btc", "0.02", "INV-1"), LinkProblem::PriceTooHigh),
        (input("trx", "1", "INV-1"), LinkProblem::PriceTooHigh),
        (input("usdtt", "1", " "), LinkProblem::Invoice),
    ] {
        assert_eq!(submit(&mut simulation, entered), []);
        assert_eq!(simulation.dashboard().link, LinkDialog::Form(Some(problem)));
    }
    let orders = submit(&mut simulation, input("usdtt", " 48.50 ", " INV-1 "));
    assert_eq!(orders, [order()]);
    let again = submit(&mut simulation, input("usdtt", "48.50", "INV-1"));
    assert_eq!(again, [], "one at a time");
}

/// Where decimals have a comma, `1.500` may be 1.5 or 1500, as in the checkout.
#[test]
fn a_price_is_read_as_the_merchant_s_language_writes_it() {
    let mut simulation = with_links();
    let typed = |quantity: &str| LinkInput {
        decimal_separator: DecimalSeparator::Comma,
        ..input("usdtt", quantity, "INV-1")
    };
    for unclear in ["1.500", "1,500", "1.234,50"] {
        assert_eq!(submit(&mut simulation, typed(unclear)), [], "{unclear}");
        let problem = LinkDialog::Form(Some(LinkProblem::Price));
        assert_eq!(simulation.dashboard().link, problem);
    }
    assert_eq!(submit(&mut simulation, typed("４８,50")), [order()]);
}

#[test]
fn the_answer_is_shown() {
    let signed = PaymentLink {
        order: "a.b.c".to_owned(),
        url: "https://pay.shop.example/pay?order=a.b.c".to_owned(),
    };
    let json = serde_json::to_value(&signed).unwrap();
    let mut simulation = with_links();
    for refused in [
        respond(404, ""),
        respond(400, r#"{"detail":"Too much."}"#),
        ok(&json!({})),
    ] {
        submit(&mut simulation, input("usdtt", "48.50", "INV-1"));
        let shown = answer(&mut simulation, refused);
        assert!(
            matches!(shown, LinkDialog::Form(Some(LinkProblem::Failed(_)))),
            "{shown:?}"
        );
    }
    submit(&mut simulation, input("usdtt", "48.50", "INV-1"));
    let shown = answer(&mut simulation, ok(&json));
    assert_eq!(shown, LinkDialog::Signed(order(), signed));

    // A response that comes when the merchant has closed the dialog, or signs something else.
    simulation.send(Event::LinkClosed);
    assert_eq!(answer(&mut simulation, ok(&json)), LinkDialog::Closed);
    simulation.send(Event::LinkRequested);
    submit(&mut simulation, input("usdtt", "2", "INV-2"));
    assert!(matches!(
        answer(&mut simulation, ok(&json)),
        LinkDialog::Signing(_)
    ));
}

#[test]
fn the_longest_time_is_the_maximum() {
    for (max, days) in [(1, vec![1]), (2, vec![1, 2]), (30, vec![1, 3, 7, 14, 30])] {
        assert_eq!(link_days(max), days);
    }
}
