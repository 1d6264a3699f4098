//! Tests of the metrics.

use std::collections::BTreeMap;

use crate::prelude::*;

pub(crate) fn with_metrics(config: &mut Config) {
    config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
}

/// The samples by name and labels, with the whole text validated.
pub(crate) async fn samples(world: &World) -> BTreeMap<String, f64> {
    let address = world.proxy.metrics_address().unwrap();
    let answer = reqwest::get(format!("http://{address}/metrics")).await;
    let answer = answer.unwrap();
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

/// The samples have this name and value.
#[track_caller]
pub(crate) fn has(samples: &BTreeMap<String, f64>, line: &str) {
    let (name, value) = line.rsplit_once(' ').unwrap();
    let sample = samples.get(&format!("tender_{name}"));
    assert_eq!(sample, value.parse().ok().as_ref(), "{name}: {samples:#?}");
}

#[tokio::test]
async fn a_status_without_a_meaning_is_counted_once() {
    let world = World::with(|config| {
        with_metrics(config);
        mapped_and_polled(config);
    })
    .await;
    let payments = [world.begin("INV-1").await, world.begin("INV-2").await];
    has(&samples(&world).await, "unmapped_statuses_total 0");
    for payment in &payments {
        world.becomes(payment, "Unmapped");
        let is_read = async || {
            let latest = world.latest(payment).await;
            latest.body.contains("Unmapped").then_some(())
        };
        until(is_read).await;
    }
    has(&samples(&world).await, "unmapped_statuses_total 1");
}

#[tokio::test]
async fn requests_calls_and_attempts_are_counted() {
    let world = World::with(|config| {
        with_metrics(config);
        config.upstream.token_cache = Duration::ZERO;
    })
    .await;
    world.get(path::TOKENS).await;
    for _ in 0..2 {
        world.create(&paying(&order(json!({})))).await.record();
    }
    world.create(&paying("no order")).await;
    // Its response is lost, and a repeat finds the payment.
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
    let lost = paying(&order(json!({ "invoiceNumber": "INV-2" })));
    world.create_in_another_tab(&lost).await;
    world.create_in_another_tab(&lost).await.record();
    world.inject(responds(Endpoint::Tokens, StatusCode::BAD_GATEWAY, "").once());
    world.get(path::TOKENS).await;
    world.get("/secret/path?of=someone").await;
    // Metrics are not served to buyers.
    let refused = world.get("/metrics").await;
    refused.is_refused_as(ProblemCode::NotFound);

    let samples = samples(&world).await;
    for line in [
        r#"http_requests_total{route="/api/v1/rates/my-tokens",status="200"} 1"#,
        r#"http_requests_total{route="/api/v1/rates/my-tokens",status="502"} 1"#,
        r#"http_requests_total{route="/api/v1/payment",status="400"} 1"#,
        r#"http_requests_total{route="no route",status="404"} 2"#,
        r#"http_request_duration_seconds_count{route="/api/v1/rates/my-tokens"} 2"#,
        r#"upstream_requests_total{endpoint="tokens",outcome="ok"} 1"#,
        r#"upstream_requests_total{endpoint="tokens",outcome="service-failed"} 1"#,
        r#"upstream_requests_total{endpoint="create",outcome="ok"} 1"#,
        r#"upstream_request_duration_seconds_count{endpoint="create"} 2"#,
        r#"attempts_total{outcome="created"} 1"#,
        r#"attempts_total{outcome="repeated"} 1"#,
        r#"attempts_total{outcome="order-malformed"} 1"#,
        r#"attempts_total{outcome="service-unreachable"} 1"#,
        r#"attempts_total{outcome="found"} 1"#,
    ] {
        has(&samples, line);
    }
    assert!(samples["tender_open_connections"] >= 1.0);
    // The labels contain nothing from a request.
    let mut names = samples.keys();
    assert!(names.all(|name| !name.contains("secret") && !name.contains("INV-1")));
}

#[tokio::test]
async fn streams_and_polls_are_counted() {
    let world = World::with(|config| {
        with_metrics(config);
        config.tracking.poll_interval = Duration::from_millis(20);
    })
    .await;
    let payment = world.begin("INV-1").await;
    let mut streams = vec![world.listen(&payment).await, world.listen(&payment).await];
    let name = |outcome| format!(r#"tender_poll_cycles_total{{outcome="{outcome}"}}"#);
    let counted = async |ready: &dyn Fn(&BTreeMap<String, f64>) -> bool| {
        until(async || ready(&samples(&world).await).then_some(())).await;
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
    let world = World::with(with_metrics).await;
    let before = samples(&world).await;
    has(&before, "tokens_fetched_timestamp_seconds 0");
    for line in [
        r#"unresolved_orders{reason="create-unanswered"} 0"#,
        r#"upstream_requests_total{endpoint="tokens",outcome="service-refused"} 0"#,
    ] {
        has(&before, line);
    }
    world.get(path::TOKENS).await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
    world.create(&paying(&order(json!({})))).await;
    for path in ["/webhook/wrong", &format!("/webhook/{WEBHOOK_SECRET}")] {
        Answer::to(world.post(path, &json!({}))).await;
    }
    let samples = samples(&world).await;
    let started = samples["process_start_time_seconds"];
    assert!(samples["tender_tokens_fetched_timestamp_seconds"] >= started);
    let build = concat!("build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1");
    for line in [
        r#"unresolved_orders{reason="create-unanswered"} 1"#,
        r#"unresolved_orders{reason="cancel-unanswered"} 0"#,
        r#"webhooks_total{outcome="ok"} 1"#,
        r#"webhooks_total{outcome="refused"} 1"#,
        build,
    ] {
        has(&samples, line);
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
