//! Tests of the origins whose pages may call the proxy.

use axum::http::StatusCode;
use reqwest::Method;
use tender_protocol::{ProblemCode, path};
use tender_sandbox::Endpoint;

use crate::support::{Answer, MERCHANT_KEY, World};

const SHOP: &str = "https://shop.example";

async fn for_the_shop() -> World {
    World::with(|config| {
        config.server.allow_origins = vec![SHOP.parse().unwrap()];
    })
    .await
}

async fn preflight(world: &World, path: &str, origin: &str) -> Answer {
    let request = world.request(Method::OPTIONS, path);
    let request = request
        .header("origin", origin)
        .header("access-control-request-method", "POST");
    let headers = "authorization,content-type,idempotency-key,last-event-id";
    Answer::to(request.header("access-control-request-headers", headers)).await
}

#[tokio::test]
async fn only_pages_of_the_shop_may_call() {
    let world = for_the_shop().await;
    for route in [path::PAYMENT, path::CANCEL, path::EVENTS] {
        let answer = preflight(&world, route, SHOP).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header("access-control-allow-origin"), SHOP);
        assert_eq!(
            answer.header("access-control-allow-methods"),
            "GET,POST,DELETE"
        );
        assert_eq!(
            answer.header("access-control-allow-headers"),
            "authorization,content-type,idempotency-key,last-event-id"
        );
        for other in ["https://shop.example.evil", "http://shop.example", "null"] {
            let answer = preflight(&world, route, other).await;
            assert!(
                !answer.headers.contains_key("access-control-allow-origin"),
                "{other}"
            );
        }
    }
    let request = world
        .request(Method::GET, path::TOKENS)
        .header("origin", SHOP);
    let answer = Answer::to(request).await;
    assert_eq!(answer.header("access-control-allow-origin"), SHOP);
    let mut varies = answer.headers.get_all("vary").iter();
    assert!(varies.any(|value| value.to_str().unwrap().contains("origin")));
    assert_eq!(answer.header("access-control-allow-credentials"), "");
}

#[tokio::test]
async fn pages_can_read_errors() {
    let world = for_the_shop().await;
    for (method, route, status) in [
        (
            Method::POST,
            path::PAYMENT,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (Method::PUT, path::PAYMENT, StatusCode::METHOD_NOT_ALLOWED),
        (
            Method::GET,
            "/api/v1/payment/t/events",
            StatusCode::UNAUTHORIZED,
        ),
        (Method::GET, "/api/v1/payments", StatusCode::NOT_FOUND),
    ] {
        let answer = Answer::to(world.request(method, route).header("origin", SHOP)).await;
        assert_eq!(answer.status, status);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            SHOP,
            "{route}"
        );
        answer.problem();
    }
}

/// Every page can read why, and nothing else.
#[tokio::test]
async fn a_refused_page_is_told_which_origins_are_allowed() {
    let world = for_the_shop().await;
    let get = |route: &str, headers: &[(&str, &str)]| {
        let request = world.request(Method::GET, route).bearer_auth(MERCHANT_KEY);
        let set = |request: reqwest::RequestBuilder, (name, value): &(&str, &str)| {
            request.header(*name, *value)
        };
        Answer::to(headers.iter().fold(request, set))
    };
    for route in [
        path::TOKENS,
        path::CHECKOUT,
        path::LIST,
        path::EVENTS,
        "/other",
    ] {
        for origin in ["http://localhost:3000", "null"] {
            let answer = get(route, &[("origin", origin)]).await;
            answer.is_refused_as(ProblemCode::OriginRefused);
            let expected = format!(
                "The proxy refuses requests from {origin}. It allows {SHOP}. Add the origin to `allow_origin`, \
                 or open the page at an allowed one."
            );
            assert_eq!(answer.problem().detail, expected);
            assert_eq!(answer.header("access-control-allow-origin"), "*");
            assert_eq!(answer.header("cache-control"), "no-store");
            let varies = answer.headers.get_all("vary").iter();
            let varies: Vec<_> = varies.map(|value| value.to_str().unwrap()).collect();
            assert!(varies.concat().contains("origin"), "{varies:?}");
        }
    }
    assert_eq!(world.calls(Endpoint::Tokens), 0);
    assert_eq!(world.calls(Endpoint::List), 0);
    // Pages of the proxy's own origin, and no pages.
    let own = format!("http://{}", world.proxy.address());
    for headers in [
        &[][..],
        &[("origin", SHOP)],
        &[("origin", &*own)],
        &[
            ("origin", "https://pay.shop.example"),
            ("sec-fetch-site", "same-origin"),
        ],
    ] {
        assert_eq!(
            get(path::TOKENS, headers).await.status,
            StatusCode::OK,
            "{headers:?}"
        );
    }
    let endless = get(path::TOKENS, &[("origin", &*"x".repeat(5000))]).await;
    assert!(endless.body.len() < 800, "{}", endless.body);
}

#[tokio::test]
async fn any_origin_must_be_allowed_explicitly() {
    let world =
        World::with(|config| config.server.allow_origins = vec!["*".parse().unwrap()]).await;
    let answer = preflight(&world, path::PAYMENT, "https://anyone.example").await;
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    let world = World::new().await;
    let answer = preflight(&world, path::PAYMENT, "https://anyone.example").await;
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
}
