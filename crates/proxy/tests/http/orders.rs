//! Tests of orders that are accepted and refused.

use std::collections::BTreeMap;

use jsonwebtoken::get_current_timestamp;
use serde::Deserialize;
use tender_protocol::request::OrderClaims;
use tender_proxy::OrderKey;

use crate::prelude::*;

/// `contract/orders.json`.
#[derive(Deserialize)]
pub(crate) struct Contract {
    /// By name, the keys of a proxy.
    keys: BTreeMap<String, Vec<Key>>,
    accepted: Vec<Accepted>,
    pub(crate) refused: Vec<Refused>,
}

#[derive(Deserialize)]
struct Key {
    kid: Option<String>,
    secret: Option<String>,
    #[serde(rename = "publicKey")]
    public: Option<String>,
}

#[derive(Deserialize)]
struct Accepted {
    name: String,
    keys: String,
    order: String,
    claims: OrderClaims,
}

#[derive(Deserialize)]
pub(crate) struct Refused {
    name: String,
    pub(crate) keys: String,
    pub(crate) order: String,
    pub(crate) code: ProblemCode,
    /// A part of the explanation.
    detail: String,
}

impl Key {
    fn read(self) -> OrderKey {
        match self.secret {
            Some(secret) => OrderKey::hs256(self.kid, &Secret::from(&*secret)),
            None => OrderKey::ed25519(self.kid, &self.public.unwrap()).unwrap(),
        }
    }
}

impl Contract {
    pub(crate) fn read() -> Self {
        let file = include_str!("../../../../contract/orders.json");
        serde_json::from_str(file).unwrap()
    }

    /// A proxy for each list of keys.
    pub(crate) async fn worlds(&mut self) -> BTreeMap<String, World> {
        let mut worlds = BTreeMap::new();
        for (name, keys) in std::mem::take(&mut self.keys) {
            let keys = keys.into_iter().map(Key::read).collect();
            let world = World::with(|config| config.orders.keys = keys).await;
            worlds.insert(name, world);
        }
        worlds
    }
}

#[tokio::test]
async fn the_refused_orders_of_the_contract_create_nothing() {
    let mut contract = Contract::read();
    let worlds = contract.worlds().await;
    for case in contract.refused {
        let answer = worlds[&case.keys].create(&paying(&case.order)).await;
        let problem = answer.problem();
        assert_eq!(problem.code, case.code, "{}: {}", case.name, answer.body);
        let detail = problem.detail;
        assert!(detail.contains(&case.detail), "{}: {detail}", case.name);
    }
    for world in worlds.values() {
        assert_eq!(world.calls(Endpoint::Create), 0);
    }
}

#[tokio::test]
async fn the_accepted_orders_of_the_contract_are_created_as_signed() {
    let mut contract = Contract::read();
    let worlds = contract.worlds().await;
    for case in contract.accepted {
        let Accepted { name, claims, .. } = case;
        let mut body = paying(&case.order);
        let quantity = claims.quantity.unwrap_or_else(|| {
            body["quantity"] = json!("7");
            "7".parse().unwrap()
        });
        let answer = worlds[&case.keys].create_in_another_tab(&body).await;
        assert_eq!(answer.status, StatusCode::OK, "{name}: {}", answer.body);
        let payment = answer.payment();
        assert_eq!(payment.token, "USDTT", "{name}");
        assert_eq!(payment.quantity, quantity, "{name}");
        let invoice_number = Some(claims.invoice_number);
        assert_eq!(payment.invoice_number, invoice_number, "{name}");
        assert_eq!(payment.item_number, claims.item_number, "{name}");
        assert_eq!(payment.purchase_email, claims.purchase_email, "{name}");
        assert_eq!(payment.purchase_name, claims.purchase_name, "{name}");
    }
}

#[tokio::test]
async fn an_order_expires() {
    let world = World::new().await;
    let now = get_current_timestamp();
    let expired = order(json!({ "exp": now - 60 }));
    let expired = world.create(&paying(&expired)).await;
    expired.is_refused_as(ProblemCode::OrderExpired);
    let early = order(json!({ "nbf": now + 120 }));
    let early = world.create(&paying(&early)).await;
    early.is_refused_as(ProblemCode::OrderNotYetValid);
    // The clocks of shop and proxy may differ slightly.
    let just_now = order(json!({ "exp": now - 10 }));
    world.create(&paying(&just_now)).await.record();
    let almost = order(json!({ "nbf": now + 10, "invoiceNumber": "INV-2" }));
    world.create(&paying(&almost)).await.record();
}

/// An order is only valid for its own amount, however the page writes it.
#[tokio::test]
async fn an_order_is_not_valid_for_another_amount() {
    let world = World::new().await;
    let order = order(json!({}));
    for other in [json!("0.01"), json!(0.01), json!("25.01"), json!(2500)] {
        let mut body = paying(&order);
        body["quantity"] = other;
        let answer = world.create(&body).await;
        answer.is_refused_as(ProblemCode::OrderAmountMismatch);
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    let mut body = paying(&order);
    body["quantity"] = json!("25");
    let payment = world.create(&body).await.payment();
    assert_eq!(payment.quantity, "25".parse().unwrap());
}
