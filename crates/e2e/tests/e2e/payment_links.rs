//! A payment link: created in the dashboard, paid in a browser without scripts.

use serde_json::json;
use tender_protocol::Status;
use thirtyfour::By;

use crate::support::office::{Office, PUBLIC_URL};
use crate::support::{STATUS_PAID, until};

async fn click(office: &Office, css: &str) {
    until(css, async || {
        let found = office.browser.driver().find(By::Css(css)).await?;
        found.click().await.map(Some)
    })
    .await;
}

async fn reads(office: &Office, words: &str) {
    until(words, async || {
        let body = office.browser.driver().find(By::Tag("body")).await?;
        Ok(body.text().await?.contains(words).then_some(()))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_of_the_dashboard_is_paid_without_scripts() {
    let office = Office::with_links().await;
    office.log_in().await;
    office.press("create-link").await;
    office
        .sees("the form", "root.querySelector('#link-price')", json!(null))
        .await;
    let choose = "
        const token = root.querySelector('#link-token');
        token.value = '1';
        return token.dispatchEvent(new Event('change'))";
    let _: bool = office.ask(choose, json!(null)).await;
    office.ask_for_link("48.50", "INV-2026-7").await;
    office.part("link").await;
    let url: String = office
        .ask("return text(part('link')[0])", json!(null))
        .await;
    let page = url.strip_prefix(PUBLIC_URL).unwrap();

    let devtools = office.browser.devtools();
    let off = devtools.send_raw(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    );
    off.await.unwrap();
    let address = format!("{}{page}&lang=en", office.servers.proxy_url());
    office.browser.driver().goto(address).await.unwrap();
    reads(&office, "48.50").await;
    click(&office, "input[value=trx]").await;
    click(&office, "[part=submit]").await;
    until("the payment", async || Ok(office.servers.payments().pop())).await;
    let payment = office.servers.only_payment();
    assert_eq!(payment.invoice_number.as_deref(), Some("INV-2026-7"));
    let status = Status::new("2", STATUS_PAID).unwrap();
    let service = office.servers.service();
    service.set_status(&payment.transaction_id, status).unwrap();
    reads(&office, "Payment received").await;
}
