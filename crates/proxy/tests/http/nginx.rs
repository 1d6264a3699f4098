//! Tests of the documented nginx and Caddy configurations with real servers, in front of the proxy
//! and instead of it.

use std::fs;

use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use tempfile::TempDir;
use tender_programs::Server;
use tender_sandbox::{RequiredHeader, Sandbox};

use crate::answer::BELOW;
use crate::caddy_server::start_caddy;
use crate::hosted::browser::Browser;
use crate::nginx_server::{PLAIN, start_nginx};
use crate::prelude::*;

const OPERATIONS: &str = include_str!("../../../../docs/operations.md");
const PROXY: &str = include_str!("../../../../docs/proxy.md");

fn get(server: &Server, path: &str) -> RequestBuilder {
    Client::new().get(server.url(path))
}

fn webhook() -> String {
    format!("/webhook/{WEBHOOK_SECRET}")
}

fn post(server: &Server, path: &str, body: &serde_json::Value) -> RequestBuilder {
    Client::new().post(server.url(path)).json(body)
}

/// The documented servers.
const SERVERS: [&str; 2] = ["nginx", "Caddy"];

/// A documented server in front of the proxy; `None` if it is not installed.
async fn in_front(name: &str, world: &World) -> Option<Server> {
    let address = world.proxy.address().to_string();
    let replaced = [("127.0.0.1:8081", &*address)];
    if name == "nginx" {
        start_nginx(OPERATIONS, &replaced).await
    } else {
        start_caddy(OPERATIONS, &replaced).await
    }
}

#[tokio::test]
async fn a_server_in_front_passes_what_the_proxy_needs() {
    for name in SERVERS {
        let world = World::with(|config| {
            fast_polling(config);
            config.server.trusted_proxies = 1;
            config.limits.tokens = 2;
            config.upstream.token_cache = Duration::ZERO;
        })
        .await;
        let Some(server) = in_front(name, &world).await else {
            continue;
        };
        let chosen = |request: RequestBuilder| Answer::to(request.header("x-request-id", "chosen"));
        let body = paying(&order(json!({})));
        let created = chosen(post(&server, path::PAYMENT, &body)).await;
        let body = json!({ "transactionId": created.transaction_id() });
        let cancel = post(&server, path::CANCEL, &body).bearer_auth(created.receipt());
        for answer in [
            chosen(cancel).await,
            chosen(post(&server, &webhook(), &json!({}))).await,
            created,
        ] {
            answer.succeeds();
            is_not_chosen(&answer);
        }
        let events = format!("{}/x/events", path::PAYMENT);
        is_not_chosen(&chosen(get(&server, &events)).await);

        // The limit is that of the server's client, whatever that client claims.
        for number in 0..4 {
            let claimed = format!("198.51.100.{number}");
            let request = get(&server, path::TOKENS).header("x-forwarded-for", claimed);
            let status = Answer::to(request).await.status;
            assert_eq!(status == StatusCode::OK, number < 2, "{name}: {status}");
        }
        // Routes for the operator are not public, and Caddy's page is empty.
        for path in ["/healthz", "/readyz", "/metrics", "/v2"] {
            let answer = Answer::to(get(&server, path)).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{name}: {answer:?}");
            let is_own = answer.body.contains("nginx") || answer.body.is_empty();
            assert!(is_own, "{name}: {answer:?}");
        }
        let long = json!({ "x": "x".repeat(20 << 10) });
        let long = Answer::to(post(&server, path::PAYMENT, &long)).await;
        assert_eq!(long.status, StatusCode::PAYLOAD_TOO_LARGE);

        let payment = world.begin("INV-2").await;
        let Followed { id, receipt, .. } = &payment;
        let path = format!("{}/{id}/events?receipt={receipt}", path::PAYMENT);
        let mut listener = Listener::to(get(&server, &path)).await;
        assert_eq!(listener.next().await.status(), "Created");
        world.becomes(&payment, "Paid");
        // The stream stays open; a buffering server would send nothing until its end.
        let event = listener.next().await;
        assert_eq!(event.status(), "Paid");
        let again = get(&server, &path).header("last-event-id", event.id.unwrap() - 1);
        assert_eq!(Listener::to(again).await.next().await.data, event.data);
    }
}

/// The client of a server in front of the proxy doesn't choose the id of its requests.
#[track_caller]
fn is_not_chosen(answer: &Answer) {
    let id = answer.header("x-request-id");
    assert!(!["", "chosen"].contains(&id), "{answer:?}");
}

/// Buys on the payment page through a server in front of the proxy. The orders, and so the cookies, are as long as the
/// page allows.
async fn buyers_pay(server: &Server) {
    let script = Answer::to(Client::new().get(server.url("/v1/pay.js"))).await;
    assert_eq!(script.body, "// the page's script");
    let mut browser = Browser::at(&server.url("/"));
    for invoice in ["INV-1", "INV-2", "INV-3"] {
        let with_length = |length| {
            let back = format!("https://shop.example/{}", "x".repeat(length));
            order(json!({ "invoiceNumber": invoice, "returnUrl": back }))
        };
        // Three characters of a claim are four of the order.
        let order = with_length((3000 - with_length(0).len()) / 4 * 3);
        assert!((2980..=3000).contains(&order.len()), "{}", order.len());
        browser.open_order(&order).await.succeeds();
        let payment = browser.submit(&[("payment-token", "btc")]).await;
        payment.succeeds();
        payment.has("data-value");
    }
}

/// The addresses that the page names work wherever the proxy is.
#[tokio::test]
async fn buyers_pay_below_a_path() {
    let assets = TempDir::new().unwrap();
    for script in ["checkout.js", "pay.js"] {
        fs::write(assets.path().join(script), script).unwrap();
    }
    let world = World::with(|config| {
        config.server.trusted_proxies = 1;
        config.server.assets = Some(assets.path().to_owned());
    })
    .await;
    let address = world.proxy.address().to_string();
    let (_, section) = OPERATIONS.split_once("### Below a path").unwrap();
    let Some(server) = start_nginx(section, &[("127.0.0.1:8081", &*address)]).await else {
        return;
    };
    for path in ["healthz", "readyz", "metrics"] {
        let answer = Answer::to(get(&server, &format!("{BELOW}/{path}"))).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        answer.has("nginx");
    }
    let mut browser = Browser::at(&server.url(&format!("{BELOW}/")));
    let form = browser.open_order(&order(json!({}))).await;
    assert_eq!(browser.scripts(&form).await, ["checkout.js", "pay.js"]);
    let payment = browser.submit(&[("payment-token", "btc")]).await;
    payment.has("data-value");
    let question = browser.click(&payment, "Cancel payment").await;
    question.succeeds();
    let form = browser.submit(&[("action", "cancel")]).await;
    form.succeeds();
    assert_eq!(browser.address.path(), format!("{BELOW}/pay"));
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    let payment = world.begin("INV-2").await;
    let events = format!(
        "/crypto{}/{}/events?receipt={}",
        path::PAYMENT,
        payment.id,
        payment.receipt
    );
    let mut listener = Listener::to(get(&server, &events)).await;
    assert_eq!(listener.next().await.status(), "Created");
}

/// Checks that the server's log has other requests, but none whose address contains a secret.
async fn logs_no_secrets(name: &str, server: &Server) {
    // A buyer who writes http. Caddy logs no redirect.
    if name == "nginx" {
        let client = Client::builder().redirect(Policy::none()).build().unwrap();
        let plain = client.get(server.url("/pay?order=z")).header("host", PLAIN);
        let plain = Answer::to(plain).await;
        assert_eq!(plain.status, StatusCode::MOVED_PERMANENTLY, "{plain:?}");
    }
    let notified = Client::new().post(server.url(&webhook())).send();
    assert_eq!(notified.await.unwrap().status(), StatusCode::OK);
    let events = format!("{}/x/events?receipt=y", path::PAYMENT);
    Answer::to(Client::new().get(server.url(&events))).await;
    Answer::to(Client::new().get(server.url(path::TOKENS))).await;
    let log = until(async || {
        let log = server.read("access.log");
        log.contains(path::TOKENS).then_some(log)
    })
    .await;
    assert!(log.contains("/v1/pay.js"), "{log}");
    for secret in ["/pay?", "receipt=", WEBHOOK_SECRET] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}

#[tokio::test]
async fn buyers_pay_on_the_payment_page_and_no_secret_is_logged() {
    let assets = TempDir::new().unwrap();
    fs::write(assets.path().join("pay.js"), "// the page's script").unwrap();
    let world = World::with(|config| {
        config.server.trusted_proxies = 1;
        config.server.assets = Some(assets.path().to_owned());
    })
    .await;
    for name in SERVERS {
        if let Some(server) = in_front(name, &world).await {
            buyers_pay(&server).await;
            logs_no_secrets(name, &server).await;
        }
    }
}

#[tokio::test]
async fn nginx_alone_forwards_two_routes_with_a_credential() {
    let mut config = tender_sandbox::Config::on_free_ports();
    let required: RequiredHeader = "X-Credential: of the merchant".parse().unwrap();
    config.require_header = Some(required);
    let sandbox = Sandbox::start(config).await.unwrap();
    let files = TempDir::new().unwrap();
    fs::create_dir(files.path().join("v1")).unwrap();
    fs::write(files.path().join("v1/checkout.js"), "// the loader").unwrap();
    let hashed = files.path().join("v1/glue-0123456789abcdef.js");
    fs::write(hashed, "// hashed").unwrap();
    let root = files.path().to_str().unwrap();
    let replacements = [
        ("https://rates.service.example", sandbox.rates_base_url()),
        ("https://payments.service.example", sandbox.base_url()),
        ("\"...\"", "\"of the merchant\""),
        ("/srv/tender/dist", root),
    ];
    let (_, section) = PROXY.split_once("## The smallest other proxy").unwrap();
    let Some(nginx) = start_nginx(section, &replacements).await else {
        return;
    };
    Answer::to(get(&nginx, path::TOKENS)).await.succeeds();
    // As in the service's document, and as the page sends it without an order: a number.
    let body = plain(json!({ "quantity": 25 }));
    let created = Answer::to(post(&nginx, path::PAYMENT, &body)).await;
    assert_eq!(created.payment().quantity, "25".parse().unwrap());
    assert_eq!(sandbox.controls().state().payments.len(), 1);

    let loader = Answer::to(get(&nginx, "/v1/checkout.js")).await;
    assert_eq!(loader.body, "// the loader");
    let hashed = Answer::to(get(&nginx, "/v1/glue-0123456789abcdef.js")).await;
    let kept = hashed.header("cache-control");
    assert!(kept.contains("immutable"), "{kept}");

    // Other routes are never forwarded to the service.
    let body = json!({ "transactionId": created.transaction_id() });
    let cancel = Answer::to(post(&nginx, path::CANCEL, &body)).await;
    assert_eq!(cancel.status, StatusCode::NOT_FOUND);
    let list = Answer::to(get(&nginx, path::LIST)).await;
    assert_eq!(list.status, StatusCode::NOT_FOUND);
    let requests = sandbox.controls().state().requests;
    assert!(!requests.contains_key(&Endpoint::Cancel) && !requests.contains_key(&Endpoint::List));
}
