//! Tests of orders whose payment is closed: they can be paid again.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::ProblemCode;
use tender_sandbox::{Endpoint, Fault};

use crate::followed::fast_polling;
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
        let order = order(json!({ "invoiceNumber": "INV-1" }));
        for token in ["btc", "trx"] {
            let second = world.create(&paying_in(token, &order)).await;
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
