//! Tests of orders whose payment is closed: they can be paid again.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::ProblemCode;
use tender_sandbox::{Endpoint, Fault};

use crate::followed::{Followed, fast_polling, mapped_and_polled};
use crate::support::{World, order, paying_in};

/// Money may arrive for a payment after it was closed, so the list is read before its order is freed.
#[tokio::test]
async fn only_a_payment_that_is_still_closed_frees_its_order() {
    for (later, code) in [
        (Some("Expired"), None),
        (Some("Paid"), Some(ProblemCode::PaymentProgressed)),
        (Some("Created"), Some(ProblemCode::PaymentProgressed)),
        (None, Some(ProblemCode::EarlierPaymentOpen)),
    ] {
        let world = World::with(|config| {
            fast_polling(config);
            config.orders.status_closed = vec!["Expired".to_owned()];
        })
        .await;
        let payment = world.begin("INV-1").await;
        let mut tab = world.listen(&payment).await;
        world.set_status(&payment.id, "9", "Expired");
        while tab.next().await.status() != "Expired" {}
        drop(tab);
        match later {
            Some("Created") => world.set_status(&payment.id, "1", "Created"),
            Some(name) => world.set_status(&payment.id, "9", name),
            None => world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List)),
        }
        for token in ["btc", "trx"] {
            let second = world.pays_in(token).await;
            match code {
                None => assert_ne!(second.transaction_id(), payment.id),
                Some(code) => second.is_refused_as(code),
            }
        }
        if code.is_some() {
            assert_eq!(world.calls(Endpoint::Create), 1, "{later:?}");
            assert_eq!(world.calls(Endpoint::Cancel), 0, "{later:?}");
        }
    }
}

/// The money for a cancelled payment arrives after all, when its order has another one.
#[tokio::test]
async fn nothing_more_is_paid_for_a_paid_order() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    world.cancel(&first.id, &first.receipt).await.succeeds();
    let second = Followed::from(&world.pays_in("btc").await);
    assert_ne!(second.id, first.id);
    let mut late = world.listen(&first).await;
    let mut tab = world.watch(&second).await;

    world.becomes(&first, "Paid");
    while late.next().await.status() != "Paid" {}
    for record in [tab.next().await.data, world.latest(&second).await.body] {
        assert!(record.contains(r#""state":"closed""#), "{record}");
        assert!(record.contains(r#""orderPaid":true"#), "{record}");
    }
    let list = world.list("").await.body;
    assert_eq!(list.matches(r#""orderPaid":true"#).count(), 1, "{list}");
    for token in ["btc", "trx"] {
        let body = paying_in(token, &order(json!({})));
        let third = world.create_in_another_tab(&body).await;
        third.is_refused_as(ProblemCode::PaymentProgressed);
    }
    // What is paid stays paid, whatever its status says later.
    world.becomes(&first, "Created");
    while late.next().await.status() != "Created" {}
    let latest = world.latest(&second).await;
    latest.has("orderPaid");
    assert_eq!(world.open(), [second.id]);
    assert_eq!(world.calls(Endpoint::Create), 2);
}
