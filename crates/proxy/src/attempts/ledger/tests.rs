//! What a test over HTTP can't wait for: days, and thousands of attempts.

use axum::http::HeaderMap;
use tender_protocol::{CreatePayment, Record, TokenCode};
use tokio::time::advance;

use super::*;
use crate::attempts::IDEMPOTENCY_KEY;
use crate::purchase::Purchase;

/// An attempt to pay an invoice, under a key or by its signed order.
fn attempt(key: Option<&str>, invoice: &str) -> Attempt {
    let payment = CreatePayment {
        token: TokenCode::from("btc"),
        quantity: "1".parse().unwrap(),
        payment_token: TokenCode::from("btc"),
        invoice_number: invoice.to_owned(),
        purchase_email: None,
        purchase_name: None,
        item_number: None,
    };
    let signed = key.is_none();
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        headers.insert(IDEMPOTENCY_KEY, key.parse().unwrap());
    }
    let key = IdempotencyKey::from_headers(&headers).unwrap();
    Attempt::new(key, &Purchase { payment, signed })
}

fn created(transaction_id: &str) -> Arc<Created> {
    Arc::new(Created {
        transaction_id: transaction_id.to_owned(),
        record: Record::default(),
    })
}

fn lost() -> Arc<ServiceError> {
    Arc::new(ServiceError::Abandoned)
}

async fn begin(ledger: &Ledger, attempt: Attempt) -> Begun {
    ledger.begin(attempt).await.unwrap()
}

async fn ticket(ledger: &Ledger, attempt: Attempt) -> Ticket {
    match begin(ledger, attempt).await {
        Begun::Mine(ticket, _) => ticket,
        _ => panic!("the attempt was begun before"),
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_kept_for_a_day() {
    let ledger = Ledger::default();
    let mine = ticket(&ledger, attempt(Some("key"), "I")).await;
    ledger.settle(mine, Ok(created("t"))).await;
    let moment = Duration::from_secs(1);
    advance(KEPT.saturating_sub(moment)).await;
    let again = begin(&ledger, attempt(Some("key"), "I")).await;
    assert!(matches!(again, Begun::Answered(created) if created.transaction_id == "t"));
    advance(moment).await;
    let mine = ticket(&ledger, attempt(Some("key"), "I")).await;
    assert!(!mine.in_doubt);
}

#[tokio::test]
async fn the_oldest_settled_attempts_make_room() {
    let ledger = Ledger::with_room(2);
    let running = ticket(&ledger, attempt(None, "running")).await;
    let in_doubt = ticket(&ledger, attempt(None, "in doubt")).await;
    ledger.settle(in_doubt, Err(lost())).await;
    for number in 0..100 {
        let invoice = number.to_string();
        let mine = ticket(&ledger, attempt(None, &invoice)).await;
        ledger.settle(mine, Ok(created(&invoice))).await;
    }
    let entries = ledger.entries.lock().await;
    let sizes = [
        entries.attempts.len(),
        entries.orders.len(),
        entries.transactions.len(),
    ];
    assert_eq!(sizes, [2, 2, 1]);
    drop(entries);
    // The one under way is still there, and the last answer.
    let again = begin(&ledger, attempt(None, "running")).await;
    assert!(matches!(again, Begun::Running(_)));
    drop(running);
}

#[tokio::test]
async fn a_ticket_that_is_dropped_leaves_its_attempt_in_doubt() {
    let ledger = Ledger::default();
    let Begun::Mine(dropped, _) = begin(&ledger, attempt(None, "I")).await else {
        panic!("the attempt is new");
    };
    let Begun::Running(waiting) = begin(&ledger, attempt(None, "I")).await else {
        panic!("the attempt is under way");
    };
    drop(dropped);
    assert!(matches!(
        *waiting.outcome().await.unwrap_err(),
        ServiceError::Abandoned
    ));
    assert!(ticket(&ledger, attempt(None, "I")).await.in_doubt);
}

#[tokio::test]
async fn an_attempt_in_doubt_stays_so_until_it_is_answered() {
    let ledger = Ledger::default();
    let mine = ticket(&ledger, attempt(None, "I")).await;
    ledger.settle(mine, Err(lost())).await;
    let refusal = ServiceError::Refused(reqwest::StatusCode::FORBIDDEN);
    let mine = ticket(&ledger, attempt(None, "I")).await;
    ledger.settle(mine, Err(Arc::new(refusal))).await;
    assert!(ticket(&ledger, attempt(None, "I")).await.in_doubt);
}

#[tokio::test]
async fn a_payment_belongs_to_one_attempt() {
    let ledger = Ledger::default();
    let first = ticket(&ledger, attempt(Some("first"), "I")).await;
    let second = ticket(&ledger, attempt(Some("second"), "I")).await;
    assert!(ledger.claim(&first, "t").await);
    assert!(ledger.claim(&first, "t").await);
    assert!(!ledger.claim(&second, "t").await);
}
