//! Tests of endpoint 2, "List payments".

use serde_json::json;
use tender_protocol::{PAGE_SIZE, Payment, path};
use tender_sandbox::Config;

use crate::support::Caller;

async fn page(caller: &Caller, query: &str) -> Vec<Payment> {
    caller
        .get(&format!("{}{query}", path::LIST))
        .await
        .payments()
}

/// Creates payments numbered from 1.
async fn create(caller: &Caller, count: usize) {
    for number in 1..=count {
        caller
            .create(json!({ "invoiceNumber": number.to_string() }))
            .await;
    }
}

fn invoices(payments: &[Payment]) -> Vec<usize> {
    payments
        .iter()
        .map(|payment| payment.invoice_number.as_ref().unwrap().parse().unwrap())
        .collect()
}

// "The response is a JSON array of payment records, at most 20 per page"
// "page | number | Page to list; 20 transactions per page"; "the first page holds the last 20 payments"
#[tokio::test]
async fn it_is_an_array_of_at_most_20_payment_records() {
    let caller = Caller::new().await;
    assert_eq!(caller.get(path::LIST).await.body, "[]");
    create(&caller, 43).await;
    let answer = caller.get(path::LIST).await;
    assert_eq!(answer.content_type, "application/json");
    assert_eq!(PAGE_SIZE, 20);
    let mut listed = Vec::new();
    // The sandbox's own choice: a page past the end is empty.
    for (number, length) in [(1, 20), (2, 20), (3, 3), (4, 0)] {
        let payments = page(&caller, &format!("?page={number}")).await;
        assert_eq!(payments.len(), length, "page {number}");
        listed.extend(invoices(&payments));
    }
    // The sandbox's own choice: newest first.
    assert_eq!(listed, (1..=43).rev().collect::<Vec<_>>());
    // "page | listed without a required marker"
    assert_eq!(answer.payments(), page(&caller, "?page=1").await);
    // 20 times this page number overflows 64 bits.
    let far = (1_u64 << 62) + 1;
    assert_eq!(page(&caller, &format!("?page={far}")).await, []);
}

// The sandbox's own choice.
#[tokio::test]
async fn an_invalid_page_is_refused() {
    let caller = Caller::new().await;
    for query in [
        "?page=0",
        "?page=-1",
        "?page=",
        "?page=two",
        "?page=1.5",
        "?page=1&page=2",
    ] {
        let answer = caller.get(&format!("{}{query}", path::LIST)).await;
        answer.assert_refused(400, "invalid_field", Some("page"));
    }
}

// "The starting page number [...]: not shown", so it is configurable.
#[tokio::test]
async fn the_number_of_the_first_page_is_configurable() {
    let config = Config {
        first_page: 0,
        ..Config::on_free_ports()
    };
    let caller = Caller::with(config).await;
    create(&caller, 21).await;
    assert_eq!(page(&caller, "?page=0").await, page(&caller, "").await);
    assert_eq!(invoices(&page(&caller, "?page=1").await), [1]);
}
