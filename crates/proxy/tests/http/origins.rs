//! Tests of the origins whose pages may call the proxy.

use crate::prelude::*;

const SHOP: &str = "https://shop.example";
const HEADERS: &str = "authorization,content-type,idempotency-key,last-event-id";

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
    Answer::to(request.header("access-control-request-headers", HEADERS)).await
}

#[tokio::test]
async fn only_pages_of_the_shop_may_call() {
    let world = for_the_shop().await;
    for route in [path::PAYMENT, path::CANCEL, path::EVENTS] {
        let answer = preflight(&world, route, SHOP).await;
        answer.succeeds();
        for (name, value) in [
            ("access-control-allow-origin", SHOP),
            ("access-control-allow-methods", "GET,POST,PUT,DELETE"),
            ("access-control-allow-headers", HEADERS),
        ] {
            assert_eq!(answer.header(name), value);
        }
        for other in ["https://shop.example.evil", "http://shop.example", "null"] {
            let answer = preflight(&world, route, other).await;
            let allowed = answer.header("access-control-allow-origin");
            assert_eq!(allowed, "", "{other}");
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
        (Method::POST, path::PAYMENT, 415),
        (Method::PUT, path::PAYMENT, 405),
        (Method::GET, "/api/v1/payment/t/events", 401),
        (Method::GET, "/api/v1/payments", 404),
    ] {
        let answer = Answer::to(world.request(method, route).header("origin", SHOP)).await;
        assert_eq!(answer.status, status, "{route}");
        assert_eq!(answer.header("access-control-allow-origin"), SHOP);
        answer.problem();
    }
}

/// Every page can read why, and nothing else.
#[tokio::test]
async fn a_refused_page_is_told_which_origins_are_allowed() {
    let world = for_the_shop().await;
    let get = |route: &str, origin: &str| {
        let request = world.by_merchant(Method::GET, route);
        Answer::to(request.header("origin", origin))
    };
    let routes = [path::TOKENS, path::CHECKOUT, path::LIST, path::EVENTS];
    for route in routes.into_iter().chain(["/other"]) {
        for origin in ["http://localhost:3000", "null"] {
            let answer = get(route, origin).await;
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
    for origin in [SHOP, &own] {
        get(path::TOKENS, origin).await.succeeds();
    }
    let same = world.request(Method::GET, path::TOKENS);
    let same = same.header("origin", "https://pay.shop.example");
    let same = same.header("sec-fetch-site", "same-origin");
    Answer::to(same).await.succeeds();
    world.get(path::TOKENS).await.succeeds();
    let endless = get(path::TOKENS, &"x".repeat(5000)).await;
    assert!(endless.body.len() < 800, "{}", endless.body);
}

#[tokio::test]
async fn any_origin_must_be_allowed_explicitly() {
    for (origins, allowed) in [(vec!["*".parse().unwrap()], "*"), (vec![], "")] {
        let world = World::with(|config| config.server.allow_origins = origins).await;
        let answer = preflight(&world, path::PAYMENT, "https://anyone.example").await;
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
    }
}
