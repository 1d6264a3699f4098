//! Tests of orders whose payment is closed: they can be paid again.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::{ProblemCode, Status};
use tender_sandbox::{Endpoint, Fault};

use crate::followed::fast_polling;
use crate::support::{World, order, paying_in};

/// The list is not read again.
#[tokio::test]
async fn a_stored_closed_status_frees_the_order() {
    for (name, frees) in [("Expired", true), ("Confirming", false)] {
        let world = World::with(|config| {
            fast_polling(config);
            config.orders.status_closed = vec!["Expired".to_owned()];
        })
        .await;
        let payment = world.begin("INV-1").await;
        let mut tab = world.listen(&payment).await;
        let status = Status::new("9", name).unwrap();
        let controls = world.sandbox.controls();
        controls.set_status(&payment.id, status).unwrap();
        while tab.next().await.status() != name {}
        world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List));

        let order = order(json!({ "invoiceNumber": "INV-1" }));
        let second = world.create(&paying_in("btc", &order)).await;
        if frees {
            assert_ne!(second.transaction_id(), payment.id);
        } else {
            second.is_refused_as(ProblemCode::EarlierPaymentOpen);
        }
        assert_eq!(world.calls(Endpoint::Create), if frees { 2 } else { 1 });
        assert_eq!(world.calls(Endpoint::Cancel), 0);
    }
}
