//! Tests of the routes that are for the merchant only.

use crate::payment_links::with_links;
use crate::prelude::*;

/// A key is not accepted in the URL, and neither a receipt nor an order is sufficient.
#[tokio::test]
async fn only_a_merchant_key_is_accepted() {
    let world = World::with(|config| {
        with_links(config);
        let other = Secret::from("another merchant key of 32 characters");
        config.access.merchant_keys.push(other);
    })
    .await;
    let order = order(json!({}));
    let Followed { id, receipt, .. } = Followed::from(&world.create(&paying(&order)).await);
    let release = format!("{}/{id}{}", path::PAYMENT, path::RELEASE);
    let marks = format!("{}/{id}{}", path::PAYMENT, path::SENT);
    let key = MERCHANT_KEY.replace(' ', "%20");
    for (method, path) in [
        (Method::GET, path::LIST),
        (Method::GET, path::LEDGER),
        (Method::GET, path::EVENTS),
        (Method::GET, path::ORDERS),
        (Method::POST, path::ORDERS),
        (Method::GET, path::DELIVERIES),
        (Method::POST, path::RESEND),
        (Method::POST, &release),
        (Method::DELETE, &marks),
    ] {
        let request = |query: &str| {
            let request = world.request(method.clone(), &format!("{path}{query}"));
            request.json(&json!({}))
        };
        for query in [
            "",
            &format!("?receipt={receipt}"),
            &format!("?receipt={key}"),
            &format!("?merchant_key={key}"),
        ] {
            let refused = Answer::to(request(query)).await;
            refused.is_refused_as(ProblemCode::CredentialsMissing);
            assert_eq!(refused.header("www-authenticate"), "Bearer");
        }
        for token in [&*receipt, &*order, "wrong", &MERCHANT_KEY[1..]] {
            let refused = Answer::to(request("").bearer_auth(token)).await;
            refused.is_refused_as(ProblemCode::CredentialsInvalid);
        }
    }
    assert_eq!(world.calls(Endpoint::List), 0);
}
