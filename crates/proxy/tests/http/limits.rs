//! Tests of the rate limits.

use reqwest::RequestBuilder;

use crate::prelude::*;

async fn world(change: impl FnOnce(&mut Config)) -> World {
    World::with(|config| {
        config.server.trusted_proxies = 1;
        config.limits.tokens = 3;
        config.limits.create = 2;
        config.limits.failures = 2;
        change(config);
    })
    .await
}

async fn from(address: &str, request: RequestBuilder) -> Answer {
    Answer::to(request.header("x-forwarded-for", address)).await
}

/// The request was refused, with the time to wait; the limit recovers gradually.
#[track_caller]
fn is_too_many(answer: &Answer) {
    answer.is_refused_as(ProblemCode::TooManyRequests);
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
}

/// A page requests a form, its order's payment and the listing, so each has as many requests.
#[tokio::test]
async fn each_address_has_separate_limits() {
    let world = world(|config| config.server.allow_origins = vec!["*".parse().unwrap()]).await;
    let order = order(json!({}));
    let form = format!("{}?token=btc&quantity=1", path::CHECKOUT);
    for path in [path::TOKENS, &form, path::PAYMENT] {
        let request = || {
            let request = world.request(Method::GET, path).bearer_auth(&order);
            request.header("origin", "https://a.example")
        };
        for _ in 0..3 {
            assert!(from("192.0.2.1", request()).await.status.is_success());
        }
        let refused = from("192.0.2.1", request()).await;
        is_too_many(&refused);
        // Pages can read how long they have to wait.
        assert_eq!(refused.header("access-control-allow-origin"), "*");
        let exposed = refused.header("access-control-expose-headers");
        assert!(exposed.contains("retry-after"), "{exposed}");
        // Other addresses have their own limits.
        assert!(from("192.0.2.2", request()).await.status.is_success());
    }
    let create = || world.post(path::PAYMENT, &paying(&order));
    for _ in 0..2 {
        from("192.0.2.1", create()).await.succeeds();
    }
    is_too_many(&from("192.0.2.1", create()).await);
    assert_eq!(world.calls(Endpoint::Create), 1);
    // Routes without a limit respond.
    let health = world.request(Method::GET, "/healthz");
    from("192.0.2.1", health).await.succeeds();
}

/// Wrong credentials of each kind are limited, right ones never: the shop may have the address of a
/// stranger, such as that of a server in front of the proxy.
#[tokio::test]
async fn wrong_credentials_are_limited_and_right_ones_are_not() {
    let world = world(|config| config.limits.create = 0).await;
    let created = world.create(&paying(&order(json!({})))).await;
    let receipt = created.receipt();
    let record = format!("{}/{}", path::PAYMENT, created.transaction_id());
    let get = |path: &str, token: &str| world.request(Method::GET, path).bearer_auth(token);

    for wrong in ["a guess", "a.receipt.forged"] {
        for _ in 0..2 {
            let answer = from("192.0.2.1", get(path::LIST, wrong)).await;
            answer.is_refused_as(ProblemCode::CredentialsInvalid);
        }
        is_too_many(&from("192.0.2.1", get(path::LIST, wrong)).await);
    }
    for (path, token) in [(path::LIST, MERCHANT_KEY), (&*record, &*receipt)] {
        let answer = from("192.0.2.1", get(path, token)).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
    }
    // Requests without credentials still work, and other addresses have their own limits.
    let tokens = world.request(Method::GET, path::TOKENS);
    from("192.0.2.1", tokens).await.succeeds();
    let answer = from("192.0.2.2", get(path::LIST, "a guess")).await;
    answer.is_refused_as(ProblemCode::CredentialsInvalid);
}

/// However the query spells its names, a wrong receipt in it counts.
#[tokio::test]
async fn wrong_receipts_in_the_query_and_wrong_webhook_secrets_are_limited() {
    let world = world(|_| {}).await;
    let watch = |query: &str| {
        let path = format!("{}/t/events?{query}", path::PAYMENT);
        world.request(Method::GET, &path)
    };
    for query in ["receipt=a.b.c", "receip%74=a.b.c"] {
        let answer = from("192.0.2.1", watch(query)).await;
        answer.is_refused_as(ProblemCode::CredentialsInvalid);
    }
    is_too_many(&from("192.0.2.1", watch("receip%74=a.b.c")).await);

    let notify = |secret: &str| {
        let path = format!("/webhook/{secret}");
        world.request(Method::POST, &path).body("{}")
    };
    for secret in ["a-guess", "%FF"] {
        let answer = from("192.0.2.1", notify(secret)).await;
        answer.is_refused_as(ProblemCode::NotFound);
    }
    is_too_many(&from("192.0.2.1", notify("a-guess")).await);
    from("192.0.2.1", notify(WEBHOOK_SECRET)).await.succeeds();
}
