//! Tests of the merchant's list of payments.

use std::time::Instant;

use futures_util::future::join_all;
use tender_protocol::PAGE_SIZE;
use tender_proxy::config::{ListOrder, PageParameter};

use crate::prelude::*;
use crate::recorder::Recorder;
use crate::search::others;

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

/// Those who ask for a page while it is read share the next read. It waits for a read that hangs, but a quarter of a second at most.
#[tokio::test]
async fn who_asks_for_the_same_page_shares_a_call() {
    let world = World::new().await;
    let slow = Fault::new(Outcome::Handle)
        .on(Endpoint::List)
        .delay_ms(1000);
    world.inject(slow);
    let begun = Instant::now();
    for answer in join_all((0..20).map(|_| world.list("?page=1"))).await {
        assert_eq!(answer.body, "[]");
    }
    let quarters = u64::try_from(begun.elapsed().as_millis() / 250).unwrap();
    assert!(world.calls(Endpoint::List) <= 1 + quarters);
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

/// The transactionIds of an answer.
fn ids(answer: &Answer) -> Vec<String> {
    answer.succeeds();
    let records: Vec<Value> = serde_json::from_str(&answer.body).unwrap();
    let id = |record: &Value| record["transactionId"].as_str().unwrap().to_owned();
    records.iter().map(id).collect()
}

impl World {
    async fn begin_often(&self, payments: usize) {
        for _ in 0..payments {
            let number = self.payments().len();
            self.begin(&format!("INV-{number}")).await;
        }
    }

    async fn list_after(&self, id: &str) -> Answer {
        self.list(&format!("?after={id}")).await
    }
}

#[tokio::test]
async fn the_list_is_read_on_after_a_payment() {
    for first_page in [0, 1] {
        let mut sandbox = tender_sandbox::Config::on_free_ports();
        sandbox.first_page = first_page;
        let world = World::before(sandbox, |config| {
            mapped(config);
            config.upstream.first_page = u32::try_from(first_page).unwrap();
        })
        .await;
        world.begin_often(45).await;
        let all = world.transactions();
        assert_eq!(ids(&world.list("").await), all[..20]);
        for (last, expected) in [
            (19, 20..40),
            (39, 40..45),
            (44, 45..45),
            // Those that are on the same page.
            (4, 5..20),
            (41, 42..45),
        ] {
            let calls = world.calls(Endpoint::List);
            let answer = world.list_after(&all[last]).await;
            assert_eq!(ids(&answer), all[expected], "{last}");
            // The page is remembered.
            assert!(world.calls(Endpoint::List) - calls <= 4, "{last}");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
        let answer = world.list_after(&all[43]).await;
        answer.has(r#""state":"open""#);
    }
}

/// Digits and fields stay as the service wrote them.
#[tokio::test]
async fn the_records_after_a_payment_are_the_services() {
    let world = World::new().await;
    let record = r#"{"quantityPay":1.10000000,"transactionId":7,"new":[1e-8,null]}"#;
    world.inject(page(format!(
        r#"[{{"transactionId":" first "}},null,{record}]"#
    )));
    assert_eq!(
        world.list_after("first").await.body,
        format!("[{{}},{record}]")
    );
    // What is no payment is listed once, although nothing can be read after it.
    world.sandbox.controls().clear_faults();
    for records in ["[null]", "[]", "[null]"] {
        let records = records.replace("null", r#"{"transactionId":"first"},null"#);
        world.inject(page(records).once());
    }
    assert_eq!(world.list_after("first").await.body, "[]");
}

/// Payments are created between two requests, and between the calls of one.
#[tokio::test]
async fn a_list_that_grows_is_read_on_without_a_gap() {
    for created in [1, 19, 20, 21, 45] {
        let world = World::new().await;
        world.begin_often(45).await;
        let all = world.transactions();
        let last = &all[19];
        let followed_by = |answer: &Answer, created: usize| {
            let ids = ids(answer);
            assert!(!ids.is_empty(), "{created}");
            assert_eq!(ids, all[20..20 + ids.len()], "{created}");
        };
        // The first call reads its page, and the next one waits.
        let gate = Gate::closed();
        let handled = Fault::new(Outcome::Handle).on(Endpoint::List).once();
        world.inject(handled.clone());
        world.inject(handled.behind(&gate));
        let calls = world.calls(Endpoint::List);
        let reading = async { followed_by(&world.list_after(last).await, created) };
        let growing = async {
            world.until_called(Endpoint::List, calls + 2).await;
            world.begin_often(created).await;
            gate.open();
        };
        tokio::join!(reading, growing);
        followed_by(&world.list_after(last).await, created);
    }
}

#[tokio::test]
async fn a_payment_that_is_not_listed_means_to_start_again() {
    let world = World::new().await;
    let unknown = async |calls| {
        let before = world.calls(Endpoint::List);
        let answer = world.list_after("unknown").await;
        answer.is_refused_for(ProblemCode::CursorUnknown, "start");
        assert_eq!(world.calls(Endpoint::List) - before, calls);
    };
    unknown(1).await;
    world.begin_often(21).await;
    unknown(3).await;
    // The payment was on the second page, and those before it have left the list.
    let [first, last] = ["other-1-0", "other-1-1"];
    let [newest, older] = [0, 1].map(|page| others(page, 20));
    for records in [&newest, &older, &newest] {
        world.inject(page(json!(records)).once());
    }
    let answer = world.list_after("other-0-19").await;
    assert_eq!(ids(&answer)[0], first);
    for records in [json!([]), json!([older[19], older[1]])] {
        world.inject(page(records).once());
    }
    assert_eq!(ids(&world.list_after("other-1-19").await), [last]);
    // A list without an end.
    for number in 0..60 {
        world.inject(page(json!(others(number, 20))).once());
    }
    unknown(50).await;
}

/// The service does not document its response to a page past the end.
#[tokio::test]
async fn the_end_is_the_same_whatever_the_service_responds() {
    let refused = Fault::respond(StatusCode::NOT_FOUND, "{}").on(Endpoint::List);
    let [first, last] = [0, 1].map(|number| page(json!(others(number, 20))));
    for end in [page("[]"), refused, last.clone()] {
        let world = World::new().await;
        for answer in [&first, &last, &end, &last] {
            world.inject(answer.clone().once());
        }
        let answer = world.list_after("other-1-19").await;
        assert_eq!(answer.body, "[]");
    }
    // Errors that are not about the page.
    for status in [StatusCode::UNAUTHORIZED, StatusCode::TOO_MANY_REQUESTS] {
        let world = World::new().await;
        world.inject(first.clone().once());
        world.inject(Fault::respond(status, "{}").on(Endpoint::List));
        let answer = world.list_after("other-0-19").await;
        answer.is_refused_as(ProblemCode::ServiceRefused);
    }
}

/// The next request goes on where the time of the one before has ended.
#[tokio::test]
async fn a_slow_list_is_read_on_by_several_requests() {
    let world = World::with(|config| config.upstream.timeout = Duration::from_secs(1)).await;
    world.begin_often(101).await;
    let all = world.transactions();
    let slow = Fault::new(Outcome::Handle).delay_ms(400);
    world.inject(slow.on(Endpoint::List));
    let answered = async || {
        let answer = world.list_after(&all[99]).await;
        if answer.status == StatusCode::OK {
            return Some(answer);
        }
        answer.is_refused_as(ProblemCode::ServiceTimeout);
        None
    };
    assert!(answered().await.is_none(), "three of six pages");
    assert_eq!(ids(&until(answered).await), all[100..]);
}

#[tokio::test]
async fn a_list_in_another_order_has_pages_only() {
    let world = World::with(|config| config.upstream.list_order = ListOrder::Unknown).await;
    let payment = world.begin("INV-1").await;
    let answer = world.list_after(&payment.id).await;
    answer.is_refused_for(ProblemCode::InvalidRequest, "list_order");
    assert_eq!(ids(&world.list("?page=1").await), [payment.id]);

    let world = World::new().await;
    let long = "1".repeat(257);
    for query in [
        "after=",
        "after=%00",
        "after=1&after=2",
        "after=1&page=1",
        &long,
    ] {
        let query = query.replace(&long, &format!("after={long}"));
        let answer = world.list(&format!("?{query}")).await;
        answer.is_refused_as(ProblemCode::InvalidRequest);
    }
    assert_eq!(world.calls(Endpoint::List), 0);
}
