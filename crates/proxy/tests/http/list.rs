//! Tests of the merchant's list of payments.

use tender_protocol::PAGE_SIZE;
use tender_proxy::config::PageParameter;

use crate::prelude::*;
use crate::recorder::Recorder;

/// Digits, field order and fields that serialising would not produce, and an element that is not a
/// record.
const PAGE: &str = r#"[ {"quantityPay":1.10000000,"transactionId":"t", "new":[1e-8,null]}, null ]"#;

#[tokio::test]
async fn the_merchant_can_read_each_page() {
    let world = World::new().await;
    for number in 0..=PAGE_SIZE {
        world.begin(&number.to_string()).await;
    }
    let count = |answer: Answer| {
        answer.succeeds();
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("cache-control"), "no-store");
        let records: Vec<serde_json::Value> = serde_json::from_str(&answer.body).unwrap();
        records.len()
    };
    for (query, length) in [("", PAGE_SIZE), ("?page=1", PAGE_SIZE), ("?page=2", 1)] {
        assert_eq!(count(world.list(query).await), length, "{query}");
    }
    let calls = world.calls(Endpoint::List);
    for page in ["0", "-1", "1.5", "one", "", "4294967296", "1&page=2", "%00"] {
        let answer = world.list(&format!("?page={page}")).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, "page");
    }
    assert_eq!(world.calls(Endpoint::List), calls);
}

#[tokio::test]
async fn pages_start_at_1_whatever_the_service_does() {
    for (first, parameter, line, body) in [
        (1, PageParameter::Query, "list?page=3", ""),
        (0, PageParameter::Query, "list?page=2", ""),
        (1, PageParameter::Path, "list/3", ""),
        (0, PageParameter::Body, "list", r#"{"page":2}"#),
    ] {
        let service = Recorder::answering(PAGE).await;
        let world = World::with(|config| {
            config.upstream.base_url = format!("{}/base/", service.address).parse().unwrap();
            config.upstream.first_page = first;
            config.upstream.page_parameter = parameter;
        })
        .await;
        let answer = world.list("?page=3").await;
        assert_eq!(answer.body, PAGE);
        let asked = service.only();
        assert_eq!(asked.line, format!("GET /base/api/v1/payment/{line}"));
        assert_eq!(asked.body, body);
        assert!(!asked.headers.contains_key("authorization"));
    }
}

/// The service does not document its response to a page past the end.
#[tokio::test]
async fn a_page_past_the_end_is_empty_whatever_the_service_responds() {
    let world = World::new().await;
    assert_eq!(world.list("?page=2").await.body, "[]");
    for (status, past_the_end) in [
        (StatusCode::NOT_FOUND, true),
        (StatusCode::BAD_REQUEST, true),
        (StatusCode::UNPROCESSABLE_ENTITY, true),
        // Errors that are not about the page.
        (StatusCode::UNAUTHORIZED, false),
        (StatusCode::FORBIDDEN, false),
        (StatusCode::TOO_MANY_REQUESTS, false),
    ] {
        world.sandbox.controls().clear_faults();
        world.inject(Fault::respond(status, "{}").on(Endpoint::List));
        let page = world.list("?page=2").await;
        if past_the_end {
            assert_eq!((page.status, &*page.body), (StatusCode::OK, "[]"));
        } else {
            page.is_refused_as(ProblemCode::ServiceRefused);
        }
        // The first page must exist.
        let first = world.list("").await;
        first.is_refused_as(ProblemCode::ServiceRefused);
    }
}

#[tokio::test]
async fn an_invalid_response_is_not_passed_on() {
    let world = World::new().await;
    world.inject(page(r#"{"secret":1}"#));
    let answer = world.list("").await;
    answer.is_refused_as(ProblemCode::ServiceUnreadable);
    assert!(!answer.body.contains("secret"));
}
