//! Tests of the token listing.

use std::fmt::Write as _;
use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::Response;
use reqwest::header::{HeaderMap, VARY};

use crate::prelude::*;

/// A listing with this many different records, with amounts that no float can represent.
fn records(count: usize) -> String {
    let mut listing = "[".to_owned();
    for number in 0..count {
        let comma = if number == 0 { "" } else { ",\n" };
        let record = format!(
            "{comma}{{\"token\":\"t{number}\",\"decimals\":18.0,\"rate\":{number}.100000000000000000{number:04}00}}"
        );
        listing.write_str(&record).unwrap();
    }
    listing + "]\n"
}

/// Requests the listing with this `Accept-Encoding`.
async fn taking(world: &World, method: Method, accept: &str) -> Response {
    let request = world.request(method, path::TOKENS);
    let request = request.header("accept-encoding", accept);
    request.send().await.unwrap()
}

/// The encoding and the length in the headers.
fn encoding_and_length(headers: &HeaderMap) -> (String, usize) {
    let text = |name| {
        headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    };
    let varies = headers.get_all(VARY).iter();
    let varies = varies.into_iter().any(|value| value == "accept-encoding");
    assert!(varies, "{headers:?}");
    assert_eq!(text("content-type"), "application/json");
    let encoding = text("content-encoding").to_owned();
    (encoding, text("content-length").parse().unwrap())
}

fn decoded(encoding: &str, body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    match encoding {
        "br" => brotli::BrotliDecompress(&mut &*body, &mut decoded).unwrap(),
        "gzip" => drop(GzDecoder::new(body).read_to_end(&mut decoded).unwrap()),
        _ => decoded.extend_from_slice(body),
    }
    decoded
}

#[tokio::test]
async fn the_listing_is_sent_in_an_accepted_encoding() {
    let world = World::new().await;
    let listing = records(200);
    world.sandbox.controls().replace_tokens(listing.clone());
    let mut lengths = Vec::new();
    for (accept, encoding) in [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0, gzip", "gzip"),
        ("identity", ""),
        ("zstd", ""),
        ("gzip;q=0.5, BR ; q=1.0", "br"),
        ("br; q=0.000", ""),
        ("br;level=5;q=0, gzip", "gzip"),
        ("*", "br"),
        ("*, br;q=0", "gzip"),
        ("*;q=0, gzip", "gzip"),
        ("xbr, gzipped", ""),
        ("", ""),
    ] {
        let answer = taking(&world, Method::GET, accept).await;
        let of_get = encoding_and_length(answer.headers());
        let body = answer.bytes().await.unwrap();
        assert_eq!(of_get, (encoding.to_owned(), body.len()), "{accept}");
        assert_eq!(decoded(encoding, &body), listing.as_bytes(), "{accept}");
        lengths.push(body.len());

        let head = taking(&world, Method::HEAD, accept).await;
        assert_eq!(encoding_and_length(head.headers()), of_get, "{accept}");
        assert!(head.bytes().await.unwrap().is_empty());
    }
    assert!(
        lengths[..3].is_sorted_by(|one, next| one < next),
        "{lengths:?}"
    );
    assert_eq!(world.calls(Endpoint::Tokens), 1);
}

#[tokio::test]
async fn a_listing_that_the_client_has_is_not_sent_again() {
    let world = World::new().await;
    let listing = world.get(path::TOKENS).await;
    let again = world.request(Method::GET, path::TOKENS);
    let again = Answer::to(again.header("if-none-match", listing.header("etag"))).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(again.body, "");
}

#[tokio::test]
async fn an_incompressible_listing_is_not_compressed() {
    let world = World::new().await;
    world.sandbox.controls().replace_tokens("[]");
    let answer = taking(&world, Method::GET, "br, gzip").await;
    assert_eq!(encoding_and_length(answer.headers()), (String::new(), 2));
    assert_eq!(answer.text().await.unwrap(), "[]");
}

#[tokio::test]
async fn failures_are_not_cached() {
    use ProblemCode::{ServiceFailed, ServiceRefused, ServiceUnreachable, ServiceUnreadable};
    let world = World::new().await;
    let unavailable = Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "[]");
    for (fault, code) in [
        (Fault::new(Outcome::Html), ServiceUnreadable),
        (Fault::new(Outcome::DropAnswer), ServiceUnreachable),
        (Fault::respond(StatusCode::OK, "{}"), ServiceUnreadable),
        (Fault::respond(StatusCode::NOT_FOUND, "[]"), ServiceRefused),
        (unavailable.clone(), ServiceFailed),
    ] {
        world.inject(fault.once());
        world.get(path::TOKENS).await.is_refused_as(code);
    }
    // Requests that arrive during a call share its result.
    let calls = world.calls(Endpoint::Tokens);
    world.inject(unavailable.delay_ms(1000).once());
    let (first, second) = tokio::join!(world.get(path::TOKENS), world.get(path::TOKENS));
    first.is_refused_as(ServiceFailed);
    second.is_refused_as(ServiceFailed);
    assert_eq!(world.calls(Endpoint::Tokens), calls + 1);
    world.get(path::TOKENS).await.succeeds();
}

/// An instance without a listing can't serve buyers; one with an old listing can.
#[tokio::test]
async fn an_instance_is_ready_once_it_knows_a_listing() {
    let keep = Duration::from_millis(50);
    let world = World::with(|config| config.upstream.token_cache = keep).await;
    let down = Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "");
    world.inject(down.clone());
    let answer = world.get("/readyz").await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    world.get("/healthz").await.succeeds();
    world.sandbox.controls().clear_faults();
    world.get("/readyz").await.succeeds();
    world.inject(down.clone());
    tokio::time::sleep(keep).await;
    world.get("/readyz").await.succeeds();

    // Without a cache, no listing is kept, and none needs to be known.
    let world = World::with(|config| config.upstream.token_cache = Duration::ZERO).await;
    world.get(path::TOKENS).await.succeeds();
    world.sandbox.controls().replace_tokens("[]");
    assert_eq!(world.get(path::TOKENS).await.body, "[]");
    world.inject(down);
    world.get("/readyz").await.succeeds();
}

#[tokio::test]
async fn the_last_listing_is_served_while_the_service_fails() {
    let keep = Duration::from_millis(50);
    let world = World::with(|config| config.upstream.token_cache = keep).await;
    let form = format!("{}?token=btc&quantity=1", path::CHECKOUT);
    let known = [world.get(path::TOKENS).await, world.get(&form).await];
    for fresh in &known {
        assert_eq!((fresh.header("age"), fresh.header("warning")), ("", ""));
    }
    let calls = world.calls(Endpoint::Tokens);
    world.inject(Fault::respond(StatusCode::SERVICE_UNAVAILABLE, ""));
    tokio::time::sleep(keep).await;
    let shown = [path::TOKENS, &form].into_iter().zip(&known);
    for (path, known) in shown.cycle().take(4) {
        let stale = world.get(path).await;
        assert_eq!((stale.status, &stale.body), (StatusCode::OK, &known.body));
        assert_eq!(stale.header("warning"), r#"110 - "Response is Stale""#);
        assert!(stale.header("age").parse::<u64>().is_ok());
    }
    // The service is not asked each time.
    assert_eq!(world.calls(Endpoint::Tokens), calls + 1);

    world.sandbox.controls().clear_faults();
    let newer = r#"[{"token":"btc","network":{"name":"Bitcoin"}}]"#;
    world.sandbox.controls().replace_tokens(newer);
    let fresh = until(async || {
        let answer = world.get(path::TOKENS).await;
        answer.header("warning").is_empty().then_some(answer)
    });
    assert_eq!(fresh.await.body, newer);
}

/// A listing without a token that a payment accepts is worth less than the last one.
#[tokio::test]
async fn a_listing_without_tokens_does_not_replace_another() {
    for worse in [
        "[]",
        "[5]",
        r#"[{"token":"eth","network":{"name":"Ethereum"}}]"#,
        r#"[{"token":"btc"}]"#,
    ] {
        let keep = Duration::from_millis(50);
        let world = World::with(|config| config.upstream.token_cache = keep).await;
        // As long as no better one is known, it is passed on.
        world.sandbox.controls().replace_tokens(worse);
        assert_eq!(world.get(path::TOKENS).await.body, worse);
        world.sandbox.controls().restore_tokens();
        tokio::time::sleep(keep).await;
        let known = world.get(path::TOKENS).await;
        assert_ne!(known.body, worse);
        world.sandbox.controls().replace_tokens(worse);
        tokio::time::sleep(keep).await;
        for _ in 0..3 {
            let answer = world.get(path::TOKENS).await;
            assert_eq!(answer.body, known.body);
            assert_eq!(answer.header("warning"), r#"110 - "Response is Stale""#);
        }
        assert_eq!(world.calls(Endpoint::Tokens), 3);
    }
}

#[tokio::test]
async fn a_listing_that_is_too_old_is_not_served() {
    let keep = Duration::from_millis(50);
    let world = World::with(|config| {
        config.upstream.token_cache = keep;
        config.upstream.token_stale = Duration::ZERO;
    })
    .await;
    world.get(path::TOKENS).await;
    world.inject(Fault::respond(StatusCode::SERVICE_UNAVAILABLE, ""));
    tokio::time::sleep(keep).await;
    let answer = world.get(path::TOKENS).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
}
