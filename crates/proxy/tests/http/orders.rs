//! Which orders are orders.

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_proxy::{OrderKey, Secret};
use tender_sandbox::Endpoint;

use crate::support::{ORDER_SECRET, World, claims, order, paying, sign};

const OTHER_SECRET: &str = "another order key of the tests, 32 characters or more";

fn with_kid(kid: &str) -> Header {
    Header {
        kid: Some(kid.to_owned()),
        ..Header::default()
    }
}

/// An order whose parts are these, as they are.
fn assembled(header: &Value, claims: &Value, signature: &str) -> String {
    let part = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.{signature}", part(header), part(claims))
}

/// An Ed25519 key: the private part signs, the public part is the PEM of `openssl pkey -pubout`.
fn ed25519() -> (EncodingKey, String) {
    let pair = Ed25519KeyPair::generate().unwrap();
    let public: PublicKeyX509Der<'_> = pair.public_key().as_der().unwrap();
    let pem = format!(
        "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
        BASE64_STANDARD.encode(public.as_ref())
    );
    let private = pair.to_pkcs8().unwrap();
    (EncodingKey::from_ed_der(private.as_ref()), pem)
}

#[tokio::test]
async fn an_order_that_is_not_the_shops_is_refused() {
    let world = World::new().await;
    let good = order(json!({}));
    let (head, signature) = good.rsplit_once('.').unwrap();
    let (header, _) = head.split_once('.').unwrap();
    let cheaper = BASE64_URL_SAFE_NO_PAD.encode(claims(json!({ "quantity": "0.01" })).to_string());
    let none = json!({ "alg": "none", "typ": "JWT" });
    let (fits, too_long) = orders_around(4096);
    let critical = json!({ "alg": "HS256", "crit": ["b64"], "b64": false });
    for (reason, order) in [
        ("not a JWT", "not an order".to_owned()),
        ("not a JWT", format!("{good}.{signature}")),
        ("not a JWT", assembled(&none, &claims(json!({})), "")),
        ("not a JWT", format!("{head}.!")),
        (
            "critical",
            assembled(&critical, &claims(json!({})), signature),
        ),
        ("signature", format!("{header}.{cheaper}.{signature}")),
        (
            "signature",
            sign(&Header::default(), &claims(json!({})), OTHER_SECRET),
        ),
        (
            "No key",
            sign(
                &Header::new(Algorithm::HS512),
                &claims(json!({})),
                ORDER_SECRET,
            ),
        ),
        ("longer", too_long),
        (
            "not valid yet",
            order(json!({ "nbf": get_current_timestamp() + 120 })),
        ),
        ("`exp`", order(json!({ "exp": null }))),
        ("`exp`", order(json!({ "exp": "tomorrow" }))),
        ("`aud`", order(json!({ "aud": "someone else" }))),
        ("`quantity`", order(json!({ "quantity": null }))),
        ("`quantity`", order(json!({ "quantity": "0" }))),
        ("negative", order(json!({ "quantity": -5 }))),
        ("`invoiceNumber`", order(json!({ "invoiceNumber": "" }))),
        ("`invoiceNumber`", order(json!({ "invoiceNumber": null }))),
    ] {
        let answer = world.create(&paying(&order)).await;
        answer.is_refused_as(ProblemCode::OrderInvalid);
        assert!(
            answer.problem().detail.contains(reason),
            "{reason}: {}",
            answer.body
        );
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    world.create(&paying(&fits)).await.record();
}

/// The longest good order of up to this length, and the next longer one.
fn orders_around(length: usize) -> (String, String) {
    let mut fits = order(json!({}));
    for filling in 1.. {
        let next = order(json!({ "purchaseName": "x".repeat(filling) }));
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
    // The clocks of shop and proxy may differ a little.
    let just_now = order(json!({ "exp": get_current_timestamp() - 10 }));
    world.create(&paying(&just_now)).await.record();
    let almost = order(json!({ "nbf": get_current_timestamp() + 10, "invoiceNumber": "INV-2" }));
    world.create(&paying(&almost)).await.record();
}

#[tokio::test]
async fn keys_are_chosen_by_kid_and_can_be_rotated() {
    let world = World::with(|config| {
        config.order_keys = vec![
            OrderKey::hs256(Some("new".to_owned()), Secret::from(ORDER_SECRET)),
            OrderKey::hs256(Some("old".to_owned()), Secret::from(OTHER_SECRET)),
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
    for (reason, header) in [
        ("signature", with_kid("old")),
        ("No key", with_kid("older")),
    ] {
        let answer = world
            .create(&paying(&sign(&header, &claims, ORDER_SECRET)))
            .await;
        answer.is_refused_as(ProblemCode::OrderInvalid);
        assert!(answer.problem().detail.contains(reason), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_key_without_a_kid_verifies_orders_with_any() {
    let world = World::new().await;
    let order = sign(&with_kid("whatever"), &claims(json!({})), ORDER_SECRET);
    world.create(&paying(&order)).await.record();
}

#[tokio::test]
async fn a_public_key_verifies_eddsa_and_nothing_else() {
    let (private, public) = ed25519();
    let key = OrderKey::ed25519(Some("ed".to_owned()), &public).unwrap();
    let world = World::with(|config| config.order_keys = vec![key]).await;
    let order = encode(&Header::new(Algorithm::EdDSA), &claims(json!({})), &private).unwrap();
    world.create(&paying(&order)).await.record();

    let (other, _) = ed25519();
    let order = encode(&Header::new(Algorithm::EdDSA), &claims(json!({})), &other).unwrap();
    world
        .create(&paying(&order))
        .await
        .is_refused_as(ProblemCode::OrderInvalid);
    // What everyone may know must not do as a shared secret.
    let order = sign(&Header::default(), &claims(json!({})), &public);
    world
        .create(&paying(&order))
        .await
        .is_refused_as(ProblemCode::OrderInvalid);
}

#[tokio::test]
async fn a_receipt_is_no_order() {
    let world = World::with(|config| config.receipt_keys = vec![Secret::from(ORDER_SECRET)]).await;
    let receipt = world.create(&paying(&order(json!({})))).await.receipt();
    world
        .create(&paying(&receipt))
        .await
        .is_refused_as(ProblemCode::OrderInvalid);
}
