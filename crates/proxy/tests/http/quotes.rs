//! Tests of payments for which the service lists another amount to pay than at their creation.

use crate::metrics::{has, samples, with_metrics};
use crate::prelude::*;

/// Its status counts, the buyer keeps the amount that they were told, and the merchant sees both.
#[tokio::test]
async fn a_quote_that_moves_changes_nothing_for_the_buyer() {
    for (amount, risen) in [(json!(9999.5), 1), (json!(1), 0)] {
        let shop = Shop::open().await;
        let world = World::with(|config| {
            mapped_and_polled(config);
            with_metrics(config);
            shop.receives(config);
        });
        let world = world.await;
        let payment = world.begin("INV-1").await;
        let told: Value = serde_json::from_str(&payment.record).unwrap();
        let mut tab = world.watch(&payment).await;
        let mut listed = payment.with_status("7", "Paid");
        listed["quantityPay"] = amount.clone();
        world.inject(page(json!([listed])));
        let repeated = async || world.pays_in("trx").await.body;
        for record in [
            tab.next().await.data,
            world.latest(&payment).await.body,
            repeated().await,
            shop.until_received(2).await[1].json()["data"].to_string(),
        ] {
            let record: Value = serde_json::from_str(&record).unwrap();
            assert_eq!(record["state"], "paid");
            assert_eq!(record["quantityPay"], told["quantityPay"]);
            assert_eq!(record["listedQuantityPay"], Value::Null);
        }
        let path = format!("{}?invoiceNumber=INV-1", path::ORDERS);
        let order = Answer::to(world.by_merchant(Method::GET, &path)).await;
        let order: Value = serde_json::from_str(&order.body).unwrap();
        let read = world.read(&payment.id, MERCHANT_KEY).await.body;
        for record in [&order["payments"][0], &serde_json::from_str(&read).unwrap()] {
            assert_eq!(record["quantityPay"], told["quantityPay"]);
            assert_eq!(record["listedQuantityPay"].as_f64(), amount.as_f64());
        }
        has(
            &samples(&world).await,
            &format!("risen_quotes_total {risen}"),
        );
        assert_eq!(shop.kinds(), ["payment.created", "payment.paid"]);
    }
}
