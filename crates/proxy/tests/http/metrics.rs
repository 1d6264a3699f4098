//! Tests of the metrics.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::json;
use tender_protocol::{ProblemCode, path};
use tender_proxy::Secret;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::listener::Listener;
use crate::support::{Answer, World, order, paying};

async fn world() -> World {
    World::with(|config| {
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
        config.upstream.token_cache = Duration::ZERO;
    })
    .await
}

/// The samples by name and labels, with the whole text validated.
async fn samples(world: &World) -> BTreeMap<String, f64> {
    let address = world.proxy.metrics_address().unwrap();
    let answer = reqwest::get(format!("http://{address}/metrics"))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let media_type = answer.headers()["content-type"].to_str().unwrap();
    assert!(media_type.starts_with("application/openmetrics-text"));
    let text = answer.text().await.unwrap();
    assert!(text.ends_with("# EOF\n"));
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples
        .map(|line| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn requests_calls_and_attempts_are_counted() {
    let world = world().await;
    world.get(path::TOKENS).await;
    for _ in 0..2 {
        world.create(&paying(&order(json!({})))).await.record();
    }
    world.create(&paying("no order")).await;
    world.inject(
        Fault::respond(StatusCode::BAD_GATEWAY, "")
            .on(Endpoint::Tokens)
            .once(),
    );
    world.get(path::TOKENS).await;
    world.get("/secret/path?of=someone").await;

    let samples = samples(&world).await;
    let tokens = "/api/v1/rates/my-tokens";
    for (name, value) in [
        (
            format!(r#"http_requests_total{{route="{tokens}",status="200"}}"#),
            1.0,
        ),
        (
            format!(r#"http_requests_total{{route="{tokens}",status="502"}}"#),
            1.0,
        ),
        (
            r#"http_requests_total{route="/api/v1/payment",status="400"}"#.to_owned(),
            1.0,
        ),
        (
            r#"http_requests_total{route="no route",status="404"}"#.to_owned(),
            1.0,
        ),
        (
            format!(r#"http_request_duration_seconds_count{{route="{tokens}"}}"#),
            2.0,
        ),
        (
            r#"upstream_requests_total{endpoint="tokens",outcome="ok"}"#.to_owned(),
            1.0,
        ),
        (
            r#"upstream_requests_total{endpoint="tokens",outcome="service-failed"}"#.to_owned(),
            1.0,
        ),
        (
            r#"upstream_requests_total{endpoint="create",outcome="ok"}"#.to_owned(),
            1.0,
        ),
        (
            r#"upstream_request_duration_seconds_count{endpoint="create"}"#.to_owned(),
            1.0,
        ),
        (r#"attempts_total{outcome="created"}"#.to_owned(), 1.0),
        (r#"attempts_total{outcome="repeated"}"#.to_owned(), 1.0),
        (
            r#"attempts_total{outcome="order-malformed"}"#.to_owned(),
            1.0,
        ),
    ] {
        assert_eq!(
            samples.get(&format!("tender_{name}")),
            Some(&value),
            "{name}\n{samples:#?}"
        );
    }
    assert!(samples["tender_open_connections"] >= 1.0);
    // The labels contain nothing from a request.
    assert!(
        samples
            .keys()
            .all(|name| !name.contains("secret") && !name.contains("INV-1"))
    );
}

#[tokio::test]
async fn metrics_are_not_served_to_buyers() {
    let world = world().await;
    world
        .get("/metrics")
        .await
        .is_refused_as(ProblemCode::NotFound);
    let silent = World::new().await;
    assert_eq!(silent.proxy.metrics_address(), None);
}

#[tokio::test]
async fn found_payments_are_counted_separately() {
    let world = world().await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
    let paying = paying(&order(json!({})));
    world.create(&paying).await;
    world.create(&paying).await.record();
    let samples = samples(&world).await;
    let attempts = |outcome| {
        let name = format!(r#"tender_attempts_total{{outcome="{outcome}"}}"#);
        samples.get(&name).copied()
    };
    assert_eq!(attempts("found"), Some(1.0), "{samples:#?}");
    assert_eq!(attempts("service-unreachable"), Some(1.0));
    assert_eq!(attempts("created"), None);
}

#[tokio::test]
async fn streams_and_polls_are_counted() {
    let world = World::with(|config| {
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
        config.tracking.poll_interval = Duration::from_millis(20);
    })
    .await;
    let created = world.create(&paying(&order(json!({})))).await;
    let events = format!("{}/{}/events", path::PAYMENT, created.transaction_id());
    let request = || {
        world
            .request(Method::GET, &events)
            .bearer_auth(created.receipt())
    };
    let mut streams = Vec::new();
    for _ in 0..2 {
        streams.push(Listener::to(request()).await);
    }
    let name = |outcome| format!(r#"tender_poll_cycles_total{{outcome="{outcome}"}}"#);
    let counted = async |ready: &dyn Fn(&BTreeMap<String, f64>) -> bool| {
        loop {
            let samples = samples(&world).await;
            if ready(&samples) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let open = |samples: &BTreeMap<String, f64>, streams, payments| {
        let is = |name, value| samples.get(name) == Some(&value);
        is("tender_open_streams", streams) && is("tender_watched_payments", payments)
    };
    counted(&|samples| open(samples, 2.0, 1.0) && samples.contains_key(&name("ok"))).await;
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List));
    counted(&|samples| samples.contains_key(&name("service-failed"))).await;
    streams.pop();
    counted(&|samples| open(samples, 1.0, 1.0)).await;
    streams.pop();
    counted(&|samples| open(samples, 0.0, 0.0)).await;
}

#[tokio::test]
async fn the_state_of_the_proxy_is_shown() {
    let secret = "0123456789abcdef0123456789abcdef";
    let world = World::with(|config| {
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
        config.access.webhook_secrets = vec![Secret::from(secret)];
    })
    .await;
    let before = samples(&world).await;
    for name in [
        "tokens_fetched_timestamp_seconds",
        r#"unresolved_orders{reason="create-unanswered"}"#,
    ] {
        assert_eq!(before.get(&format!("tender_{name}")), Some(&0.0), "{name}");
    }
    world.get(path::TOKENS).await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
    world.create(&paying(&order(json!({})))).await;
    for path in ["/webhook/wrong", &format!("/webhook/{secret}")] {
        Answer::to(world.post(path, &json!({}))).await;
    }
    let samples = samples(&world).await;
    let started = samples["process_start_time_seconds"];
    assert!(samples["tender_tokens_fetched_timestamp_seconds"] >= started);
    let version = env!("CARGO_PKG_VERSION");
    for (name, value) in [
        (
            r#"unresolved_orders{reason="create-unanswered"}"#.to_owned(),
            1.0,
        ),
        (
            r#"unresolved_orders{reason="cancel-unanswered"}"#.to_owned(),
            0.0,
        ),
        (r#"webhooks_total{outcome="ok"}"#.to_owned(), 1.0),
        (r#"webhooks_total{outcome="refused"}"#.to_owned(), 1.0),
        (format!(r#"build_info{{version="{version}"}}"#), 1.0),
    ] {
        assert_eq!(
            samples.get(&format!("tender_{name}")),
            Some(&value),
            "{name}"
        );
    }
    for operation in ["read", "transaction"] {
        let name = "tender_database_duration_seconds_count";
        let name = format!("{name}{{operation=\"{operation}\"}}");
        assert!(samples[&name] >= 1.0, "{name}");
    }
    if cfg!(target_os = "linux") {
        assert!(samples["process_open_fds"] > 5.0);
        assert!(samples["process_resident_memory_bytes"] > 1e6);
    }
}
