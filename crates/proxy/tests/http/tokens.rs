//! The token listing, for many buyers and for one call to the service.

use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use tender_protocol::{Listing, ProblemCode, path};
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::task::JoinSet;

use crate::support::{Answer, World};

#[tokio::test]
async fn the_listing_passes_through_to_the_letter() {
    let world = World::new().await;
    let odd = "[ {\"token\":\"x\",\"decimals\":18.0, \"meta\":{}} ,{}]\n";
    world.sandbox.controls().replace_tokens(odd);
    let answer = world.get(path::TOKENS).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.body, odd);
    assert_eq!(answer.header("content-type"), "application/json");
}

#[tokio::test]
async fn the_listing_is_fetched_once_for_all() {
    let world = World::new().await;
    world.inject(Fault::new(Outcome::Handle).delay_ms(200));
    let mut buyers = JoinSet::new();
    for _ in 0..20 {
        buyers.spawn(Answer::to(world.request(Method::GET, path::TOKENS)));
    }
    for answer in buyers.join_all().await {
        assert!(!Listing::parse(&answer.body).unwrap().tokens.is_empty());
    }
    assert_eq!(world.calls(Endpoint::Tokens), 1);
}

#[tokio::test]
async fn the_listing_is_fetched_again_when_it_is_old() {
    let keep = Duration::from_millis(50);
    let world = World::with(|config| config.token_cache = keep).await;
    world.get(path::TOKENS).await;
    tokio::time::sleep(keep).await;
    world.get(path::TOKENS).await;
    assert_eq!(world.calls(Endpoint::Tokens), 2);
}

#[tokio::test]
async fn the_cache_can_be_turned_off() {
    let world = World::with(|config| config.token_cache = Duration::ZERO).await;
    for _ in 0..3 {
        assert_eq!(world.get(path::TOKENS).await.status, StatusCode::OK);
    }
    assert_eq!(world.calls(Endpoint::Tokens), 3);
}

#[tokio::test]
async fn a_failure_is_not_kept() {
    let world = World::new().await;
    for (fault, code) in [
        (Fault::new(Outcome::Html), ProblemCode::ServiceUnreadable),
        (
            Fault::new(Outcome::DropAnswer),
            ProblemCode::ServiceUnreachable,
        ),
        (
            Fault::respond(StatusCode::OK, "{}"),
            ProblemCode::ServiceUnreadable,
        ),
        (
            Fault::respond(StatusCode::NOT_FOUND, "[]"),
            ProblemCode::ServiceRefused,
        ),
        (
            Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "[]"),
            ProblemCode::ServiceFailed,
        ),
    ] {
        world.inject(fault.once());
        world.get(path::TOKENS).await.is_refused_as(code);
    }
    assert_eq!(world.get(path::TOKENS).await.status, StatusCode::OK);
}

#[tokio::test]
async fn readiness_is_whether_the_service_answers() {
    let world = World::with(|config| config.token_cache = Duration::ZERO).await;
    assert_eq!(world.get("/readyz").await.status, StatusCode::OK);
    let down = Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "");
    world.inject(down);
    world
        .get("/readyz")
        .await
        .is_refused_as(ProblemCode::ServiceFailed);
    assert_eq!(world.get("/healthz").await.status, StatusCode::OK);
}
