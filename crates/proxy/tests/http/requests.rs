//! Tests of requests in general, and of headers that every response has.

use std::collections::HashSet;

use crate::prelude::*;

#[tokio::test]
async fn a_body_must_be_json_of_limited_length() {
    use ProblemCode::{InvalidRequest, PayloadTooLarge, UnsupportedMediaType};
    let world = World::new().await;
    let post = |media_type: &str, body: &[u8]| {
        let request = world.request(Method::POST, path::PAYMENT);
        let request = request.header("content-type", media_type);
        Answer::to(request.body(body.to_vec()))
    };
    let good = paying(&order(json!({}))).to_string().into_bytes();
    let untyped = world.request(Method::POST, path::PAYMENT);
    let untyped = Answer::to(untyped.body(good.clone())).await;
    untyped.is_refused_as(UnsupportedMediaType);
    for other in [
        "text/plain",
        "application/jsonp",
        "application/x-www-form-urlencoded",
    ] {
        post(other, &good).await.is_refused_as(UnsupportedMediaType);
    }
    let json = "application/json";
    for bad in [&b""[..], b"{", b"\xff", b"{} {}", b"null"] {
        post(json, bad).await.is_refused_as(InvalidRequest);
    }
    let mut padded = good.clone();
    padded.resize(16 << 10, b' ');
    post(json, &padded).await.record();
    padded.push(b' ');
    post(json, &padded).await.is_refused_as(PayloadTooLarge);
    let upper_case = "Application/JSON; charset=utf-8";
    post(upper_case, &good).await.record();
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn without_a_secret_there_is_no_webhook() {
    let world = World::with(|config| config.access.webhook_secrets.clear()).await;
    let guarded = World::new().await;
    for method in [Method::POST, Method::GET, Method::DELETE] {
        // A wrong secret is answered in the same way.
        let guess = guarded.request(method.clone(), "/webhook/anything");
        Answer::to(guess).await.is_refused_as(ProblemCode::NotFound);
        let answer = Answer::to(world.request(method, "/webhook/anything")).await;
        answer.is_refused_as(ProblemCode::NotFound);
        assert_eq!(answer.header("allow"), "");
    }
}

/// Ids that could not be stored, compared or logged, in a path and a body.
#[tokio::test]
async fn unusable_ids_are_refused() {
    let world = World::new().await;
    let long = "x".repeat(257);
    for id in ["%FF", "%00", "a%0Ab", "%C2%85", &long] {
        for route in [
            format!("{}/{id}", path::PAYMENT),
            format!("{}/{id}/events", path::PAYMENT),
        ] {
            let request = world.request(Method::GET, &route).bearer_auth(MERCHANT_KEY);
            let answer = Answer::to(request).await;
            answer.is_refused_as(ProblemCode::InvalidRequest);
        }
    }
    for id in ["", "\0", "a\nb", "\u{85}", &long] {
        let answer = world.cancel(id, MERCHANT_KEY).await;
        answer.is_refused_as(ProblemCode::InvalidRequest);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}

/// Whatever is wrong with a request, the answer is a problem.
#[tokio::test]
async fn every_refusal_is_a_problem() {
    let world = World::new().await;
    for route in ["/", "/api/v1/payment/t/u", "/v1", "/v1/", "/metrics"] {
        world.get(route).await.is_refused_as(ProblemCode::NotFound);
    }
    for (route, allowed) in [
        (path::PAYMENT, "POST,GET,HEAD"),
        (&format!("/webhook/{WEBHOOK_SECRET}"), "POST"),
        ("/v1/checkout.js", "GET,HEAD,OPTIONS"),
    ] {
        let answer = Answer::to(world.request(Method::DELETE, route)).await;
        answer.is_refused_as(ProblemCode::MethodNotAllowed);
        assert_eq!(answer.header("allow"), allowed);
    }
    for (method, route) in [
        (Method::GET, "/%FF"),
        (Method::GET, "/v1/%FF"),
        (Method::POST, "/webhook/%FF"),
        (Method::PUT, "/webhook/%FF"),
        (Method::PUT, "/webhook/x"),
        (Method::TRACE, "/healthz"),
        (Method::GET, path::ORDERS),
        (Method::GET, "/api/v1/payment/deliveries?state=lost"),
        (Method::GET, "/api/v1/payment/deliveries?state=unknown"),
        (Method::GET, "/api/v1/payment/deliveries?before=a&before=b"),
        (Method::GET, "/api/v1/payment/t/events?receipt=a&receipt=b"),
        (Method::GET, "/api/v1/payment/t/events?receipt=%FF"),
        (Method::POST, path::CANCEL),
        (Method::POST, path::PAYMENT),
    ] {
        let answer = Answer::to(world.by_merchant(method, route)).await;
        assert!(answer.status.is_client_error(), "{route}");
        answer.problem();
    }
}

#[tokio::test]
async fn every_response_has_an_id_and_security_headers() {
    let world = World::new().await;
    let mut ids = HashSet::new();
    for route in [
        "/healthz",
        "/healthz",
        "/nowhere",
        path::TOKENS,
        path::PAYMENT,
    ] {
        let request = world.request(Method::GET, route);
        let answer = Answer::to(request.header("x-request-id", "from-outside")).await;
        let id = answer.header("x-request-id").to_owned();
        assert_eq!(id.len(), 16);
        assert!(ids.insert(id));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cache-control"), "no-store");
        // A page that loads a script from a wrong path is told so.
        let policy = if answer.status == StatusCode::NOT_FOUND {
            "cross-origin"
        } else {
            "same-origin"
        };
        assert_eq!(answer.header("cross-origin-resource-policy"), policy);
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'"), "{policy}");
    }
}

#[tokio::test]
async fn a_trusted_proxy_may_choose_the_request_id() {
    let world = World::with(|config| config.server.trusted_proxies = 1).await;
    let id = async |given: &str| {
        let request = world.request(Method::GET, "/healthz");
        let answer = Answer::to(request.header("x-request-id", given)).await;
        answer.header("x-request-id").to_owned()
    };
    let longest = "a".repeat(64);
    for good in ["7", "a-B_c.9", &longest] {
        assert_eq!(id(good).await, good);
    }
    for bad in ["", "a b", "a/b", "a\"b", "{}", &format!("{longest}a")] {
        assert_eq!(id(bad).await.len(), 16, "{bad}");
    }
}
