//! The documented nginx configurations, in a real nginx: the smallest other proxy, which forwards two routes with the
//! merchant's credential (docs/proxy.md), and the back office behind the shop's own login, which adds the key
//! (docs/merchant.md).

use std::fs;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tender_protocol::{Status, path};
use tender_sandbox::{Config, Endpoint, Requests, RequiredHeader, Sandbox};
use tokio::time::timeout;

use crate::support::office::{Office, invoices};
use crate::support::{Browser, MERCHANT_KEY, Role, dist, start_nginx, until};

const PAGE: &str = r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>
<script src="/v1/checkout.js" async></script>
<tender-checkout proxy="/" token="usdtt" quantity="48.50" invoice-number="INV-1042"></tender-checkout>"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_through_two_forwarded_routes() {
    let mut config = Config::on_free_ports();
    let credential: RequiredHeader = "X-Credential: of the merchant".parse().unwrap();
    config.require_header = Some(credential);
    let service = Sandbox::start(config).await.unwrap();
    let shop = TempDir::new().unwrap();
    fs::write(shop.path().join("index.html"), PAGE).unwrap();
    let page = include_str!("../../../../docs/proxy.md");
    let (_, section) = page.split_once("## The smallest other proxy").unwrap();
    let serve_page = format!(
        "location = /index.html {{ root {}; }}\nlocation /v1/ {{",
        shop.path().display()
    );
    let dist = dist().canonicalize().unwrap();
    let replacements = [
        ("https://rates.service.example", service.rates_base_url()),
        ("https://payments.service.example", service.base_url()),
        ("\"...\"", "\"of the merchant\""),
        ("/srv/tender/dist", dist.to_str().unwrap()),
        ("location /v1/ {", &serve_page),
    ];
    let Some(nginx) = start_nginx(section, &replacements).await else {
        return;
    };
    let browser = Browser::start().await;
    let checkout = browser.visit(&nginx.url("/index.html")).await;
    assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5");
    let entries = Vec::from(service.controls().state().payments);
    let [entry] = &entries[..] else {
        panic!("one payment, no more: {entries:?}");
    };
    assert_eq!(entry.payment.quantity, "48.50".parse().unwrap());
    assert_eq!(checkout.text_of("wallet").await, entry.payment.wallet);
    // There is no cancel route, so nothing was cancelled: the widget says so, turns the feature off and keeps showing the
    // payment.
    checkout.cancel().await;
    until("the button to be gone", async || {
        let buttons = checkout.names(Role::Button).await;
        let gone = buttons.iter().all(|name| !name.contains("ancel"));
        Ok(gone.then_some(()))
    })
    .await;
    assert_eq!(
        checkout.alert().await,
        "The payment was not cancelled. It is still valid."
    );
    assert_eq!(checkout.amount().await, "48.5");
    let requests = service.controls().state().requests;
    assert!(!requests.contains_key(&Endpoint::Cancel));
}

const GUIDE: &str = include_str!("../../../../docs/merchant.md");

/// A login with a session cookie, and the page behind it with the documented policy.
const SHOP: &str = r#"
location = /login {
    add_header Set-Cookie "session=begun; Path=/; HttpOnly; SameSite=Strict";
    return 302 /office;
}
location = /login/check {
    internal;
    if ($cookie_session = "begun") { return 204; }
    return 401;
}
location = /office {
    auth_request /login/check;
    add_header Content-Security-Policy "POLICY";
    default_type text/html;
    root FOLDER;
    try_files /office.html =404;
}
location"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_merchant_sees_and_cancels_payments_behind_a_login() {
    let office = Office::with(22).await;
    let proxy = office.servers.proxy_url();
    let (_, section) = GUIDE.split_once("### Behind the shop's own login").unwrap();
    let (_, policy) = section.split_once("```\ndefault-src").unwrap();
    let (policy, _) = policy.split_once("```").unwrap();
    let policy = format!("default-src{}", policy.replace('\n', " "));
    let shop = TempDir::new().unwrap();
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>A shop</title>
         <script src=\"{proxy}/v1/payments.js\" async></script><tender-payments proxy=\"/office\"></tender-payments>"
    );
    fs::write(shop.path().join("office.html"), page).unwrap();
    let around = SHOP
        .replace("POLICY", policy.trim())
        .replace("https://pay.shop.example", &proxy)
        .replace("FOLDER", shop.path().to_str().unwrap());
    let replacements = [
        ("https://pay.shop.example", &*proxy),
        ("proxy_ssl_server_name on;", ""),
        ("the-merchant-key", MERCHANT_KEY),
        ("location", &around),
    ];
    let Some(nginx) = start_nginx(section, &replacements).await else {
        return;
    };
    let address = |path| nginx.url(&format!("/office{path}"));

    // Without a login, no request reaches the service.
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for path in [path::LIST, path::LEDGER, path::EVENTS] {
        let answer = client.get(address(path)).send().await.unwrap();
        assert_eq!(answer.status(), 401, "{path}");
    }
    let calls = office.servers.requests(Endpoint::List);
    assert_eq!(calls, Requests::default());

    // The merchant has no key.
    office.browser.go(nginx.url("/login")).await;
    office.shows(&invoices(22, 3)).await;
    office.press("older").await;
    office.shows(&invoices(2, 1)).await;
    office.press("cancel").await;
    office.press("confirm").await;
    office.reads(" is cancelled").await;
    office.press("close").await;
    let is_open = |invoice: &str| {
        let payments = office.servers.payments().into_iter();
        let mut open = payments.filter(|row| row.status == Status::Created);
        open.any(|row| row.invoice_number.as_deref() == Some(invoice))
    };
    assert!(!is_open("INV-2") && is_open("INV-1"));
    office.has_no_key().await;

    // Events arrive at once, because nginx doesn't buffer them.
    let with_cookie = |request: reqwest::RequestBuilder| request.header("Cookie", "session=begun");
    let event = async {
        let events = with_cookie(client.get(address(path::EVENTS))).send();
        let mut events = events.await.unwrap();
        assert_eq!(events.headers()["content-type"], "text/event-stream");
        office.create(json!({ "invoiceNumber": "INV-23" })).await;
        let mut received = String::new();
        while !received.contains("INV-23") {
            let piece = events.chunk().await.unwrap().expect("the stream goes on");
            received.push_str(&String::from_utf8_lossy(&piece));
        }
    };
    let event = timeout(Duration::from_mins(1), event).await;
    event.expect("the event comes");

    // If the session cookie has no `SameSite`, a form of another site can send it, but can't send JSON.
    let payments = office.servers.payments();
    let id = payments.last().unwrap().transaction_id.clone();
    let body = json!({ "transactionId": id }).to_string();
    let form = client
        .post(address(path::CANCEL))
        .header("Content-Type", "text/plain");
    let answer = with_cookie(form).body(body).send().await.unwrap();
    assert_eq!(answer.status(), 415);
    let asked = client.request(reqwest::Method::OPTIONS, address(path::CANCEL));
    let answer = with_cookie(asked).send().await.unwrap();
    assert_eq!(answer.status(), 403);
    assert!(is_open("INV-1"));

    // The login expires.
    office.log_out().await;
    office.press("refresh").await;
    office.reads("Your login has expired").await;
}
