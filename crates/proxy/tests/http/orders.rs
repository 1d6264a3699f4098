//! Tests of orders that are accepted and refused.

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_proxy::{OrderKey, Secret};
use tender_sandbox::Endpoint;

use crate::support::{ORDER_SECRET, World, claims, order, paying, plain, sign};

const OTHER_SECRET: &str = "another order key of the tests, 32 characters or more";

fn with_kid(kid: &str) -> Header {
    Header {
        kid: Some(kid.to_owned()),
        ..Header::default()
    }
}

/// An order of exactly these parts.
fn assembled(header: &Value, claims: &Value, signature: &str) -> String {
    let part = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.{signature}", part(header), part(claims))
}

/// An Ed25519 key: the private key in PKCS #8 (DER), the public key as `openssl pkey -pubout`
/// writes it.
pub(crate) fn ed25519() -> (Vec<u8>, String) {
    let pair = Ed25519KeyPair::generate().unwrap();
    let public: PublicKeyX509Der<'_> = pair.public_key().as_der().unwrap();
    let private = pair.to_pkcs8v1().unwrap();
    (
        private.as_ref().to_vec(),
        pem("PUBLIC KEY", public.as_ref()),
    )
}

pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

#[tokio::test]
async fn an_order_of_another_signer_is_refused() {
    use ProblemCode as P;

    let world = World::new().await;
    let good = order(json!({}));
    let (head, signature) = good.rsplit_once('.').unwrap();
    let (header, _) = head.split_once('.').unwrap();
    let cheaper = BASE64_URL_SAFE_NO_PAD.encode(claims(json!({ "quantity": "0.01" })).to_string());
    let none = json!({ "alg": "none", "typ": "JWT" });
    let (fits, too_long) = orders_around(4096);
    let critical = json!({ "alg": "HS256", "crit": ["b64"], "b64": false });
    let hs512 = Header::new(Algorithm::HS512);
    for (code, reason, order) in [
        (P::OrderMalformed, "JWT", "not an order".to_owned()),
        (P::OrderMalformed, "JWT", format!("{good}.{signature}")),
        (P::OrderMalformed, "JWT", format!("{head}.!")),
        (P::OrderTooLong, "4096", too_long),
        (
            P::OrderAlgorithmRefused,
            "HS256 or EdDSA",
            assembled(&none, &claims(json!({})), ""),
        ),
        (
            P::OrderAlgorithmRefused,
            "HS256 or EdDSA",
            assembled(&none, &claims(json!({})), signature),
        ),
        (
            P::OrderAlgorithmRefused,
            "`alg`",
            sign(&hs512, &claims(json!({})), ORDER_SECRET),
        ),
        (
            P::OrderSignatureInvalid,
            "altered",
            format!("{header}.{cheaper}.{signature}"),
        ),
        (
            P::OrderSignatureInvalid,
            "altered",
            format!("{head}x.{signature}"),
        ),
        (
            P::OrderSignatureInvalid,
            "another key",
            sign(&Header::default(), &claims(json!({})), OTHER_SECRET),
        ),
        (
            P::OrderNotYetValid,
            "clock",
            order(json!({ "nbf": get_current_timestamp() + 120 })),
        ),
        (
            P::OrderInvalid,
            "critical",
            assembled(&critical, &claims(json!({})), signature),
        ),
    ] {
        let answer = world.create(&paying(&order)).await;
        answer.is_refused_as(code);
        assert!(
            answer.problem().detail.contains(reason),
            "{reason}: {}",
            answer.body
        );
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    world.create(&paying(&fits)).await.record();
}

#[tokio::test]
async fn an_order_needs_valid_claims() {
    let world = World::new().await;
    for (reason, claims) in [
        ("`exp`", json!({ "exp": null })),
        ("`exp`", json!({ "exp": "tomorrow" })),
        ("`aud`", json!({ "aud": "someone else" })),
        ("`quantity`", json!({ "quantity": null })),
        ("`quantity`", json!({ "quantity": "0" })),
        ("negative", json!({ "quantity": -5 })),
        ("`invoiceNumber`", json!({ "invoiceNumber": "" })),
        ("`invoiceNumber`", json!({ "invoiceNumber": null })),
        // These may come back from the service in another form.
        ("longer", json!({ "invoiceNumber": "1".repeat(129) })),
        ("longer", json!({ "invoiceNumber": "é".repeat(65) })),
        (
            "`itemNumber` is longer",
            json!({ "itemNumber": "1".repeat(129) }),
        ),
        (
            "`purchaseName` is longer",
            json!({ "purchaseName": "x".repeat(201) }),
        ),
        (
            "`purchaseEmail` contains",
            json!({ "purchaseEmail": "a\u{85}@b.example" }),
        ),
        (
            "more than 38 digits",
            json!({ "quantity": format!("1.{}", "0".repeat(38)) }),
        ),
        ("control", json!({ "invoiceNumber": "INV\n1" })),
        ("control", json!({ "invoiceNumber": "INV\u{0}1" })),
        ("NFC", json!({ "invoiceNumber": "Cafe\u{301}" })),
        (
            "`returnUrl`",
            json!({ "returnUrl": "http://shop.example/" }),
        ),
        ("`returnUrl`", json!({ "returnUrl": "/orders/7" })),
        ("`returnUrl`", json!({ "returnUrl": "javascript:alert(1)" })),
        ("`returnUrl`", json!({ "returnUrl": "" })),
        ("a string", json!({ "returnUrl": 7 })),
    ] {
        let answer = world.create(&paying(&order(claims))).await;
        answer.is_refused_as(ProblemCode::OrderInvalid);
        let detail = answer.problem().detail;
        assert!(detail.contains(reason), "{reason}: {detail}");
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
}

/// It is not part of the request to the service.
#[tokio::test]
async fn an_order_may_name_a_page_of_the_shop() {
    for url in [
        json!("https://shop.example/orders/7?lang=de"),
        json!("http://127.0.0.1:8080/orders/7"),
        json!(null),
    ] {
        let world = World::new().await;
        let order = order(json!({ "returnUrl": url }));
        world.create(&paying(&order)).await.record();
    }
}

/// A buyer's odd fields never reach the service, which might fail on them.
#[tokio::test]
async fn the_fields_of_a_page_are_limited() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let chosen = order(json!({ "itemNumber": "0", "quantity": null }));
    let chosen = |quantity: &str| merge(paying(&chosen), json!({ "quantity": quantity }));
    let ordered = |fields| merge(paying(&order(json!({}))), fields);
    for (reason, body) in [
        (
            "`purchaseName` is longer than 200",
            ordered(json!({ "purchaseName": "é".repeat(101) })),
        ),
        (
            "`purchaseEmail` is longer than 254",
            ordered(json!({ "purchaseEmail": "x".repeat(255) })),
        ),
        (
            "`purchaseName` contains",
            ordered(json!({ "purchaseName": "a\u{0}b" })),
        ),
        ("`quantity` has more than 38", chosen(&"9".repeat(39))),
        (
            "`itemNumber` contains",
            plain(json!({ "itemNumber": "a\nb" })),
        ),
        (
            "`invoiceNumber` is longer than 128",
            plain(json!({ "invoiceNumber": "1".repeat(129) })),
        ),
    ] {
        let answer = world.create(&body).await;
        answer.is_refused_as(ProblemCode::InvalidRequest);
        let detail = answer.problem().detail;
        assert!(detail.contains(reason), "{reason}: {detail}");
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    let longest = json!({ "purchaseName": "é".repeat(100), "purchaseEmail": "x".repeat(254) });
    world.create(&ordered(longest)).await.record();
}

fn merge(mut body: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("the fields are an object");
    };
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// The longest valid order of up to this length, and the next longer one.
fn orders_around(length: usize) -> (String, String) {
    let mut fits = order(json!({}));
    for filling in 1.. {
        let next = order(json!({ "note": "x".repeat(filling) }));
        if next.len() > length {
            return (fits, next);
        }
        fits = next;
    }
    unreachable!("orders grow with what they hold");
}

#[tokio::test]
async fn an_order_expires() {
    let world = World::new().await;
    let expired = order(json!({ "exp": get_current_timestamp() - 60 }));
    world
        .create(&paying(&expired))
        .await
        .is_refused_as(ProblemCode::OrderExpired);
    // The clocks of shop and proxy may differ slightly.
    let just_now = order(json!({ "exp": get_current_timestamp() - 10 }));
    world.create(&paying(&just_now)).await.record();
    let almost = order(json!({ "nbf": get_current_timestamp() + 10, "invoiceNumber": "INV-2" }));
    world.create(&paying(&almost)).await.record();
}

#[tokio::test]
async fn keys_are_selected_by_kid() {
    let world = World::with(|config| {
        config.orders.keys = vec![
            OrderKey::hs256(Some("new".to_owned()), &Secret::from(ORDER_SECRET)),
            OrderKey::hs256(Some("old".to_owned()), &Secret::from(OTHER_SECRET)),
        ];
    })
    .await;
    let claims = claims(json!({}));
    for (header, secret) in [
        (with_kid("new"), ORDER_SECRET),
        (with_kid("old"), OTHER_SECRET),
        (Header::default(), ORDER_SECRET),
        (Header::default(), OTHER_SECRET),
    ] {
        world
            .create(&paying(&sign(&header, &claims, secret)))
            .await
            .record();
    }
    for (code, header) in [
        (ProblemCode::OrderSignatureInvalid, with_kid("old")),
        (ProblemCode::OrderKeyUnknown, with_kid("older")),
    ] {
        let order = sign(&header, &claims, ORDER_SECRET);
        world.create(&paying(&order)).await.is_refused_as(code);
    }
}

#[tokio::test]
async fn a_key_without_a_kid_verifies_all_orders() {
    let world = World::new().await;
    let order = sign(&with_kid("whatever"), &claims(json!({})), ORDER_SECRET);
    world.create(&paying(&order)).await.record();
}

#[tokio::test]
async fn a_public_key_verifies_only_eddsa() {
    let (private, public) = ed25519();
    let key = OrderKey::ed25519(Some("ed".to_owned()), &public).unwrap();
    let world = World::with(|config| config.orders.keys = vec![key]).await;
    let eddsa = |private: &[u8]| {
        let key = EncodingKey::from_ed_der(private);
        encode(&Header::new(Algorithm::EdDSA), &claims(json!({})), &key).unwrap()
    };
    world.create(&paying(&eddsa(&private))).await.record();

    let (other, _) = ed25519();
    world
        .create(&paying(&eddsa(&other)))
        .await
        .is_refused_as(ProblemCode::OrderSignatureInvalid);
    // A public key must not work as a shared secret.
    let order = sign(&Header::default(), &claims(json!({})), &public);
    world
        .create(&paying(&order))
        .await
        .is_refused_as(ProblemCode::OrderAlgorithmRefused);
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
    assert_eq!(
        world.create(&body).await.payment().quantity,
        "25".parse().unwrap()
    );
}

#[tokio::test]
async fn a_receipt_is_not_an_order() {
    let world =
        World::with(|config| config.access.receipt_keys = vec![Secret::from(ORDER_SECRET)]).await;
    let receipt = world.create(&paying(&order(json!({})))).await.receipt();
    world
        .create(&paying(&receipt))
        .await
        .is_refused_as(ProblemCode::OrderInvalid);
}
