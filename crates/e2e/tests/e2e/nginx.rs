//! The smallest other proxy: the two routes of docs/proxy.md, forwarded by a real nginx that adds the
//! merchant's credential. What it does not answer, the widget does without.

use std::fs;

use tempfile::TempDir;
use tender_sandbox::{Config, Endpoint, RequiredHeader, Sandbox};

use crate::support::{Browser, Nginx, Role, dist, until};

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
        "location = / {{ root {}; index index.html; default_type text/html; }}\nlocation = /index.html \
         {{ root {}; default_type text/html; }}\nlocation /v1/ {{",
        shop.path().display(),
        shop.path().display()
    );
    let nginx = Nginx::start(
        section,
        &[
            ("https://rates.service.example", service.rates_base_url()),
            ("https://payments.service.example", service.base_url()),
            ("\"...\"", "\"of the merchant\""),
            (
                "/srv/tender/dist",
                dist().canonicalize().unwrap().to_str().unwrap(),
            ),
            ("location /v1/ {", &serve_page),
        ],
    )
    .await;
    let Some(nginx) = nginx else { return };

    let browser = Browser::start().await;
    let checkout = browser.visit(&nginx.url("/")).await;
    checkout.pay_with("Tether USD, TRON").await;
    assert_eq!(checkout.amount().await, "48.5");
    let entries = Vec::from(service.controls().state().payments);
    let [entry] = &entries[..] else {
        panic!("one payment, no more: {entries:?}");
    };
    assert_eq!(entry.payment.quantity, "48.50".parse().unwrap());
    assert_eq!(checkout.text_of("wallet").await, entry.payment.wallet);
    // It does not cancel, and the widget does without: quietly, with the payment as it was.
    checkout.press("Cancel payment").await;
    checkout.press("Yes, cancel").await;
    until("the button to be gone", async || {
        let buttons = checkout.names(Role::Button).await;
        let gone = buttons.iter().all(|name| !name.contains("ancel"));
        Ok(gone.then_some(()))
    })
    .await;
    assert!(checkout.names(Role::Alert).await.is_empty());
    assert_eq!(checkout.amount().await, "48.5");
    assert!(
        !service
            .controls()
            .state()
            .requests
            .contains_key(&Endpoint::Cancel)
    );
}
