//! `payments list`: the table, CSV and JSON.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome};

use super::World;

/// Digits and fields that serialising would not produce.
pub(super) const ODD: &str = r#"{"new":[1e-8,null],"transactionId":"t-1","token":"USDTT","paymentToken":"TRX","quantity":1.10000000,"quantityPay":12345678901234567890.000000001,"priceUsd":1E+2,"invoiceNumber":"INV-1","statusId":"9","statusText":"Odd","wallet":"w"}"#;

pub(super) fn page(records: &[String]) -> Fault {
    let records = format!("[{}]", records.join(","));
    Fault::respond(StatusCode::OK, records).on(Endpoint::List)
}

pub(super) fn ids(json: &Value) -> Vec<&str> {
    let records = json.as_array().unwrap().iter();
    records
        .map(|record| record["transactionId"].as_str().unwrap())
        .collect()
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
    assert!(lines[1].contains("  1234.5  USDTT") && lines[2].contains("   25.00  USDTT"));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_has_the_services_records_unchanged() {
    let world = World::new().await;
    world.inject(page(&[ODD.to_owned()]));
    for arguments in [["list", "--json"], ["--json", "list"]] {
        assert_eq!(world.run(&arguments).is(0).out, format!("[{ODD}]\n"));
    }
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
    world.inject(lost);
    let body = json!({
        "token": "usdtt", "quantity": "25.00", "paymentToken": "trx", "invoiceNumber": "INV-\u{202e}7",
    });
    let request = reqwest::Client::new().post(world.proxy.url(path::PAYMENT));
    let answer = request.json(&body).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::BAD_GATEWAY);
    let line = r"Unresolved: invoice INV-\u{202e}7, 25.00 usdtt paid in trx: it is not known whether the payment was created [create-unanswered]";
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
    let to_terminal = world.at_terminal(&["list", "--csv"], 80, "");
    for done in [world.run(&["list", "--csv"]), to_terminal] {
        let out = &done.is(0).out;
        assert!(out.contains(r"\u{9b}2J\u{202e}txt"), "{out}");
        assert!(!out.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{out}");
    }
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
