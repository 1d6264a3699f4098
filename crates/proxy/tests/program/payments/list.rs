//! `payments list`.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome, Requests};

use super::World;

/// Digits and fields that serialising would not produce.
const ODD: &str = r#"{"new":[1e-8,null],"transactionId":"t-1","token":"USDTT","paymentToken":"TRX","quantity":1.10000000,"quantityPay":12345678901234567890.000000001,"priceUsd":1E+2,"invoiceNumber":"INV-1","statusId":"9","statusText":"Odd","wallet":"w"}"#;

fn page(records: &[String]) -> Fault {
    let records = format!("[{}]", records.join(","));
    Fault::respond(StatusCode::OK, records).on(Endpoint::List)
}

/// Records that differ only in their transactionId.
fn records(numbers: std::ops::Range<usize>) -> Vec<String> {
    let record = |number| ODD.replace("t-1", &format!("t-{number}"));
    numbers.map(record).collect()
}

fn ids(json: &Value) -> Vec<&str> {
    let records = json.as_array().unwrap().iter();
    records
        .map(|record| record["transactionId"].as_str().unwrap())
        .collect()
}

impl World {
    fn pages_read(&self) -> u64 {
        let requests = self.sandbox.controls().state().requests;
        requests
            .get(&Endpoint::List)
            .map_or(0, |requests: &Requests| requests.received)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_full_ids_and_exact_amounts() {
    let world = World::new().await;
    assert_eq!(world.run(&["list"]).is(0).reports("No payments.").out, "");
    let first = world.pay(json!({ "purchaseName": "Ada" })).await;
    let second = json!({ "quantity": "1234.5", "invoiceNumber": "INV-1042" });
    let second = world.pay(second).await;
    let done = world.run(&["list"]);
    let lines: Vec<_> = done.is(0).out.lines().collect();
    let cells = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let titles = "createdAt invoiceNumber quantity token quantityPay paymentToken priceUsd statusText \
                  buyer transactionId";
    assert_eq!(cells(lines[0]), cells(titles));
    assert_eq!(lines.len(), 3);
    assert!(lines[1].contains("INV-1042") && lines[1].ends_with(&second));
    assert!(lines[2].contains("Ada") && lines[2].ends_with(&first));
    let places = ["  1234.5  USDTT", "   25.00  USDTT"].map(|amount| {
        let line = lines.iter().find(|line| line.contains(amount));
        line.unwrap_or_else(|| panic!("{amount} in {}", done.out))
            .find(amount)
    });
    assert_eq!(places[0], places[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn json_has_the_services_records_unchanged() {
    let world = World::new().await;
    world.sandbox.controls().inject(page(&[ODD.to_owned()]));
    assert_eq!(
        world.run(&["list", "--json"]).is(0).out,
        format!("[{ODD}]\n")
    );
    assert_eq!(
        world.run(&["--json", "list"]).is(0).out,
        format!("[{ODD}]\n")
    );
    let table = world.run(&["list"]);
    for text in [
        "1.10000000  USDTT",
        "12345678901234567890.000000001  TRX",
        "  100  Odd",
    ] {
        assert!(table.out.contains(text), "{}", table.out);
    }
    world.sandbox.controls().clear_faults();
    assert_eq!(world.run(&["list", "--json"]).is(0).out, "[]\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_shows_one_page_or_all() {
    let world = World::new().await;
    let mut created = world.pay_often(45).await;
    created.reverse();
    for (arguments, expected) in [
        (&["list", "--json"][..], &created[..20]),
        (&["list", "--json", "--page", "3"], &created[40..]),
        (&["list", "--json", "--page=9"], &[]),
        (&["list", "--json", "--all"], &created[..]),
        (&["list", "--json", "--all", "--pages", "2"], &created[..40]),
    ] {
        let done = world.run(arguments);
        assert_eq!(ids(&done.is(0).json()), expected, "{arguments:?}");
    }
    let cut = world.run(&["list", "--all", "--pages", "2"]);
    cut.is(0).reports("the newest 40 payments (2 pages)");
    // Filters apply to the pages that are read.
    let invoice = |arguments: &[&str]| {
        let arguments = [&["list", "--json", "--invoice", "INV-0"], arguments].concat();
        world.run(&arguments).is(0).json()
    };
    assert_eq!(ids(&invoice(&["--all"])), &created[44..]);
    assert_eq!(invoice(&[]), json!([]));
    let paid = tender_protocol::Status::new("7", "Paid").unwrap();
    let controls = world.sandbox.controls();
    controls.set_status(&created[30], paid).unwrap();
    for status in ["paid", "7"] {
        let done = world.run(&["list", "--json", "--all", "--status", status]);
        assert_eq!(ids(&done.is(0).json()), [&*created[30]]);
    }
}

/// Two payments are created during the reading, so all others move down.
#[tokio::test(flavor = "multi_thread")]
async fn a_changing_list_shows_each_payment_once() {
    let world = World::new().await;
    let controls = world.sandbox.controls();
    for records in [records(2..22), records(20..40), records(38..45)] {
        controls.inject(page(&records).once());
    }
    let done = world.run(&["list", "--all", "--json"]);
    let expected: Vec<_> = (2..45).map(|number| format!("t-{number}")).collect();
    assert_eq!(ids(&done.is(0).json()), expected);
    assert_eq!(world.pages_read(), 4);
}

/// A whole page of payments is created during the reading.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_known_payments_is_not_the_end() {
    let world = World::new().await;
    let controls = world.sandbox.controls();
    for records in [records(20..40), records(20..40), records(40..45)] {
        controls.inject(page(&records).once());
    }
    let done = world.run(&["list", "--all", "--json"]);
    assert_eq!(ids(&done.is(0).json()).len(), 25);
}

/// A service's response to a page past the end is not documented.
#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_end_is_recognised() {
    for (end, pages) in [
        (page(&[]), 2),
        (page(&records(0..20)), 3),
        (page(&records(20..21)), 4),
        (
            Fault::respond(StatusCode::NOT_FOUND, "").on(Endpoint::List),
            2,
        ),
    ] {
        let world = World::new().await;
        world
            .sandbox
            .controls()
            .inject(page(&records(0..20)).once());
        world.sandbox.controls().inject(end);
        let done = world.run(&["list", "--all", "--json"]);
        assert!(matches!(ids(&done.is(0).json()).len(), 20 | 21));
        assert_eq!(world.pages_read(), pages);
    }
    // But the first page must exist.
    let world = World::new().await;
    let refused = Fault::respond(StatusCode::NOT_FOUND, "").on(Endpoint::List);
    world.sandbox.controls().inject(refused);
    assert_eq!(world.run(&["list", "--json"]).is(1).out, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_page_is_not_a_partial_list() {
    let world = World::new().await;
    let controls = world.sandbox.controls();
    controls.inject(page(&records(0..20)).once());
    controls.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List));
    let done = world.run(&["list", "--all"]);
    done.is(1).reports("The payment service failed");
    assert_eq!(done.out, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn csv_has_exact_amounts_and_no_formulas() {
    let world = World::new().await;
    let formula = "=HYPERLINK(\"http://evil.example\")";
    let fields = json!({ "purchaseName": formula, "invoiceNumber": "INV-9", "quantity": "25.10" });
    let id = world.pay(fields).await;
    world
        .pay(json!({ "purchaseName": "Ada, Countess", "invoiceNumber": "INV-8" }))
        .await;
    let done = world.run(&["list", "--csv"]);
    let lines: Vec<_> = done.is(0).out.split("\r\n").collect();
    assert!(
        lines[0].starts_with("transactionId,invoiceNumber,"),
        "{}",
        done.out
    );
    assert!(lines[1].contains(",\"Ada, Countess\","), "{}", done.out);
    assert!(lines[2].starts_with(&format!("{id},INV-9,")) && lines[2].contains(",25.10,"));
    assert!(
        lines[2].contains(r#","'=HYPERLINK(""http://evil.example"")","#),
        "{}",
        done.out
    );
    assert_eq!(lines[3..], [""]);
    // Only the found payments.
    let found = world.run(&["list", "--csv", "--search", "countess"]);
    assert_eq!(found.is(0).out.lines().count(), 2);
    let found = world
        .run(&["list", "--json", "--search", "inv-9"])
        .is(0)
        .json();
    assert_eq!(ids(&found), [&*id]);
    let both = [
        &["list", "--csv", "--json"][..],
        &["--json", "list", "--csv"],
    ];
    for arguments in both {
        world.run(arguments).is(2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unresolved_orders_are_reported() {
    let world = World::new().await;
    world.pay(json!({})).await;
    let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Create);
    world.sandbox.controls().inject(lost);
    let body = json!({
        "token": "usdtt", "quantity": "25.00", "paymentToken": "trx", "invoiceNumber": "INV-\u{202e}7",
    });
    let request = reqwest::Client::new().post(world.proxy.url(path::PAYMENT));
    let answer = request.json(&body).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::BAD_GATEWAY);
    let line = r"Unresolved: invoice INV-\u{202e}7, 25.00 usdtt paid in trx: it is not known whether the payment was created";
    let done = world.run(&["list"]);
    assert_eq!(done.is(0).reports(line).out.lines().count(), 2);
    assert_eq!(world.run(&["list", "--json"]).is(0).err, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_data_is_escaped() {
    let world = World::new().await;
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}txt.exe\r\nINV-2";
    world
        .pay_at_service(json!({ "purchaseName": hostile, "invoiceNumber": hostile }))
        .await;
    for (done, lines) in [
        (world.run(&["list"]), 2),
        (world.at_terminal(&["list"], 300, ""), 2),
    ] {
        let out = &done.is(0).out;
        assert_eq!(out.lines().count(), lines, "{out}");
        let is_plain = |character: char| !character.is_control() && character != '\u{202e}';
        assert!(
            out.lines().all(|line| line.chars().all(is_plain)),
            "{out:?}"
        );
        assert!(out.contains(r"\u{1b}[2J"), "{out}");
    }
    let json = world.run(&["list", "--json"]);
    assert!(
        !json.out.contains(['\u{1b}', '\u{9b}', '\u{202e}']),
        "{}",
        json.out
    );
    assert_eq!(json.json()[0]["invoiceNumber"], hostile);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_record_is_skipped_and_reported() {
    let world = World::new().await;
    let records = [r#"{"transactionId":"t-0"}"#.to_owned(), ODD.to_owned()];
    world.sandbox.controls().inject(page(&records));
    let done = world.run(&["list"]);
    assert_eq!(done.is(0).reports("`token`").out.lines().count(), 2);
    let json = world.run(&["list", "--json"]);
    assert_eq!(json.out, format!("[{}]\n", records.join(",")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_that_is_not_a_record_is_skipped_and_reported() {
    let world = World::new().await;
    let elements = page(&["null".to_owned(), ODD.to_owned()]);
    world.sandbox.controls().inject(elements);
    let done = world.run(&["list", "--json"]);
    let out = &done.is(0).reports("1 element of page 1 skipped").out;
    assert_eq!(out, &format!("[{ODD}]\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_fits_the_terminal() {
    let world = World::new().await;
    let buyer = "Ada Lovelace of St James's Square, London";
    let invoice = "INVOICE-OF-THE-YEAR-2026-NUMBER-000001042";
    let fields = json!({ "purchaseName": buyer, "invoiceNumber": invoice });
    let id = world.pay(fields).await;
    for (columns, left_out) in [
        (250, vec![]),
        (140, vec!["buyer"]),
        (122, vec!["buyer", "priceUsd"]),
    ] {
        let done = world.at_terminal(&["list"], columns, "");
        let out = &done.is(0).out;
        let longest = out.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(
            longest <= usize::from(columns),
            "{columns}: {longest}\n{out}"
        );
        assert!(out.contains(&id) && out.contains("25.00"), "{out}");
        assert_eq!(out.contains(invoice), columns == 250, "{out}");
        for title in left_out {
            done.reports(title);
        }
    }
    // In a file, no column is hidden.
    let out = world.run(&["list"]).out;
    assert!(out.contains(invoice) && out.contains(buyer) && out.contains(&id));
}

#[tokio::test(flavor = "multi_thread")]
async fn csv_has_no_control_characters() {
    let world = World::new().await;
    let name = "\u{1b}[2J\u{9b}31m\u{202e}Ada";
    world.pay_at_service(json!({ "purchaseName": name })).await;
    let to_pipe = world.run(&["list", "--csv"]);
    let to_terminal = world.at_terminal(&["list", "--csv"], 80, "");
    for done in [to_pipe, to_terminal] {
        assert!(
            done.is(0).out.contains(r"\u{1b}[2J\u{9b}31m\u{202e}Ada"),
            "{}",
            done.out
        );
        assert!(!done.out.contains(['\u{1b}', '\u{9b}', '\u{202e}']));
    }
}
