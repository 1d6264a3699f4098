//! Tests of orders that are accepted and refused.

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_proxy::{OrderKey, Secret};
use tender_sandbox::Endpoint;

use crate::bodies::claims;
use crate::support::{ORDER_SECRET, World, order, paying, sign};

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
    let usual = claims(json!({}));
    let good = order(json!({}));
    let (head, signature) = good.rsplit_once('.').unwrap();
    let (header, _) = head.split_once('.').unwrap();
    let cheaper = BASE64_URL_SAFE_NO_PAD.encode(claims(json!({ "quantity": "0.01" })).to_string());
    let cheaper = format!("{header}.{cheaper}.{signature}");
    let none = json!({ "alg": "none", "typ": "JWT" });
    let unsigned = assembled(&none, &usual, "");
    let with_none = assembled(&none, &usual, signature);
    let hs512 = sign(&Header::new(Algorithm::HS512), &usual, ORDER_SECRET);
    let altered = format!("{head}x.{signature}");
    let of_another = sign(&Header::default(), &usual, OTHER_SECRET);
    let early = order(json!({ "nbf": get_current_timestamp() + 120 }));
    let critical = json!({ "alg": "HS256", "crit": ["b64"], "b64": false });
    let critical = assembled(&critical, &usual, signature);
    let (fits, too_long) = orders_around(4096);
    for (code, reason, order) in [
        (P::OrderMalformed, "JWT", "not an order".to_owned()),
        (P::OrderMalformed, "JWT", format!("{good}.{signature}")),
        (P::OrderMalformed, "JWT", format!("{head}.!")),
        (P::OrderTooLong, "4096", too_long),
        (P::OrderAlgorithmRefused, "HS256 or EdDSA", unsigned),
        (P::OrderAlgorithmRefused, "HS256 or EdDSA", with_none),
        (P::OrderAlgorithmRefused, "`alg`", hs512),
        (P::OrderSignatureInvalid, "altered", cheaper),
        (P::OrderSignatureInvalid, "altered", altered),
        (P::OrderSignatureInvalid, "another key", of_another),
        (P::OrderNotYetValid, "clock", early),
        (P::OrderInvalid, "critical", critical),
    ] {
        let answer = world.create(&paying(&order)).await;
        answer.is_refused_for(code, reason);
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
        // A receipt is not an order.
        ("`aud`", json!({ "aud": "tender-receipt" })),
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
        answer.is_refused_for(ProblemCode::OrderInvalid, reason);
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
    let refused = world.create(&paying(&expired)).await;
    refused.is_refused_as(ProblemCode::OrderExpired);
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
        let created = world.create(&paying(&sign(&header, &claims, secret))).await;
        created.record();
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
    let refused = world.create(&paying(&eddsa(&other))).await;
    refused.is_refused_as(ProblemCode::OrderSignatureInvalid);
    // A public key must not work as a shared secret.
    let order = sign(&Header::default(), &claims(json!({})), &public);
    let answer = world.create(&paying(&order)).await;
    answer.is_refused_as(ProblemCode::OrderAlgorithmRefused);
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
