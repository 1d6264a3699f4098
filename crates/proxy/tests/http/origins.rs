//! Tests of the origins whose pages may call the proxy.

use crate::prelude::*;

const SHOP: &str = "https://shop.example";
const HEADERS: &str = "authorization,content-type,idempotency-key,last-event-id";

/// Those of the widget, and what else the page adds.
fn allowed_headers() -> String {
    format!("{HEADERS},*")
}

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
            ("access-control-allow-headers", &allowed_headers()),
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
        for (origin, advice) in [
            (
                "http://localhost:3000",
                "Add the origin to `allow_origin`, or open the page at an allowed one.",
            ),
            (
                "null",
                "Open the page from a server by http(s), not as a file or in a sandboxed frame.",
            ),
        ] {
            let answer = get(route, origin).await;
            answer.is_refused_as(ProblemCode::OriginRefused);
            let expected =
                format!("The proxy refuses requests from {origin}. It allows {SHOP}. {advice}");
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

/// A page's `fetch` may add the headers of tracing to each request, also to those for the widget's files.
#[tokio::test]
async fn a_file_may_be_requested_with_headers_of_the_page() {
    let world = for_the_shop().await;
    let request = world.request(Method::OPTIONS, "/v1/checkout.js");
    let request = request
        .header("origin", "https://anyone.example")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "baggage,traceparent");
    let answer = Answer::to(request).await;
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-allow-headers"), "*");
}

/// Pages in apps, and in sandboxed frames.
#[tokio::test]
async fn an_origin_without_a_host_on_the_web_can_be_allowed() {
    for origin in [
        "capacitor://localhost",
        "ionic://localhost",
        "tauri://localhost",
        "null",
    ] {
        let world = World::with(|config| {
            config.server.allow_origins = vec![origin.parse().unwrap()];
        })
        .await;
        let answer = preflight(&world, path::PAYMENT, origin).await;
        assert_eq!(answer.header("access-control-allow-origin"), origin);
    }
}

/// nginx's `$host` has no port.
#[tokio::test]
async fn the_proxy_s_own_pages_are_known_behind_a_server_that_drops_the_port() {
    let world = for_the_shop().await;
    for (host, origin, is_own) in [
        ("pay.shop.example", "https://pay.shop.example:8443", true),
        ("pay.shop.example", "https://pay.shop.example.", true),
        (
            "pay.shop.example:8443",
            "https://pay.shop.example:8443",
            true,
        ),
        ("pay.shop.example:8443", "https://pay.shop.example", false),
        ("pay.shop.example", "https://evil.example:8443", false),
    ] {
        let request = world.request(Method::GET, path::TOKENS);
        let request = request.header("host", host).header("origin", origin);
        let answer = Answer::to(request).await;
        assert_eq!(answer.status == 200, is_own, "{host} {origin}");
    }
}
