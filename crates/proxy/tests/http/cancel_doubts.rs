//! Tests of cancellations that the list and the response to cancel leave in doubt: the payment may have
//! been paid, so it is not cancelled, and the order gets no other one.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_sandbox::{Endpoint, Fault};

use crate::followed::{Followed, without_polling};
use crate::never_cancelled::ALL;
use crate::recognition::others;
use crate::support::{World, page};

fn paid(payment: &Followed) -> Value {
    payment.with_status("2", "Paid")
}

fn created(payment: &Followed) -> Value {
    payment.with_status("1", "Created")
}

/// A response to cancel.
fn answering(records: Vec<Value>) -> Fault {
    let records = Value::from(records).to_string();
    Fault::respond(StatusCode::OK, records).on(Endpoint::Cancel)
}

/// A response to one request for a page.
fn list(records: Vec<Value>) -> Fault {
    page(Value::from(records)).once()
}

/// Cancels a payment for the buyer, for the merchant, and in favour of another one, while the service
/// answers with `faults`. Nothing is cancelled or created, after this many requests to cancel.
async fn is_not_cancelled(faults: impl Fn(&Followed) -> Vec<Fault>, requests: u64) {
    for by in ALL {
        let world = World::with(without_polling).await;
        let payment = world.begin("INV-1").await;
        for fault in faults(&payment) {
            world.inject(fault);
        }
        let answer = world.ends(&payment, by).await;
        answer.is_refused_as(match by {
            "another token" => ProblemCode::EarlierPaymentOpen,
            _ => ProblemCode::CancelUnconfirmed,
        });
        assert_eq!(world.calls(Endpoint::Cancel), requests, "{by}");
        assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
    }
}

/// The list before the cancellation: the payment is on the first page, unchanged.
fn listed(payment: &Followed) -> [Fault; 2] {
    [list(vec![created(payment)]), list(vec![])]
}

/// It is paid, and another payment leaves the list after the first page was read.
#[tokio::test]
async fn a_payment_that_moves_to_an_earlier_page_is_not_cancelled() {
    let faults = |payment: &Followed| {
        let mut moved = others(19);
        moved.push(paid(payment));
        let after = [others(20), others(3), vec![], moved, others(3)];
        let after = after.into_iter().map(list);
        let answer = answering(vec![created(payment)]);
        listed(payment)
            .into_iter()
            .chain(after)
            .chain([answer])
            .collect()
    };
    is_not_cancelled(faults, 1).await;
}

/// "The first page holds the last 20 payments", so it is not empty.
#[tokio::test]
async fn a_payment_is_not_gone_if_the_first_page_is_empty() {
    let faults = |payment: &Followed| {
        let answer = answering(vec![created(payment)]);
        let empty = page(json!([]));
        listed(payment).into_iter().chain([empty, answer]).collect()
    };
    is_not_cancelled(faults, 1).await;
}

#[tokio::test]
async fn a_payment_on_two_pages_with_two_statuses_is_not_cancelled() {
    let twice = |first: Value, second: Value| [list(vec![first]), list(vec![second])];
    let before = |payment: &Followed| twice(created(payment), paid(payment)).into();
    is_not_cancelled(before, 0).await;
    for (id, name) in [("1", "Created"), ("5", "Cancelled")] {
        let after = |payment: &Followed| {
            let after = twice(payment.with_status(id, name), paid(payment));
            let answer = answering(vec![created(payment)]);
            let faults = listed(payment).into_iter().chain(after);
            faults.chain([answer]).collect()
        };
        is_not_cancelled(after, 1).await;
    }
}

/// The list shows it unchanged, as the service documents a cancelled one.
#[tokio::test]
async fn a_response_with_two_statuses_cancels_nothing() {
    for is_paid_first in [false, true] {
        let faults = |payment: &Followed| {
            let mut records = vec![created(payment), paid(payment)];
            if is_paid_first {
                records.reverse();
            }
            vec![answering(records)]
        };
        is_not_cancelled(faults, 1).await;
    }
}
