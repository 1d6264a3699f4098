//! A payment link: created in the dashboard, paid in a browser without scripts.

use serde_json::json;
use thirtyfour::By;

use crate::support::office::{Office, PUBLIC_URL};
use crate::support::{STATUS_PAID, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_link_of_the_dashboard_is_paid_without_scripts() {
    let mut office = Office::open("en").await;
    office.move_on().await;
    office.log_in().await;
    office.press("create-link").await;
    office.has("#link-price").await;
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

    let browser = &office.browser;
    browser.scripts(false).await;
    let address = format!("{}{page}&lang=en", office.servers.proxy_url());
    browser.go(address).await;
    browser.reads("48.50").await;
    browser.click(By::Css("input[value=trx]")).await;
    browser.click(By::Css("[part=submit]")).await;
    until("the payment", async || Ok(office.servers.payments().pop())).await;
    let payment = office.servers.only_payment();
    assert_eq!(payment.invoice_number.as_deref(), Some("INV-2026-7"));
    office.servers.set_status(STATUS_PAID);
    browser.reads("Payment received").await;
}
