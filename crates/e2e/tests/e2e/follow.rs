//! The status, in the service's words, after the payment was created.

use tender_proxy::config::Database;

use crate::support::{Browser, Checkout, STATUS_PAID, Scenery, Servers, Stage, until};

/// The page stays open while the proxy restarts, and receives the remaining changes afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_of_the_proxy_is_bridged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tender.db");
    let mut servers = Servers::open_with(|proxy| {
        proxy.store.database = Database::File(file.clone());
    })
    .await;
    let browser = Browser::start().await;
    let checkout = browser
        .pay(&servers.shop_page("/"), "Bitcoin, Bitcoin")
        .await;
    assert_eq!(checkout.text_of("status").await, "Created");
    servers.set_status("Confirming");
    shows_status(&checkout, "Confirming").await;
    let event = browser.event("tender-status").await;
    assert_eq!(event.detail["payment"]["statusText"], "Confirming");
    assert_eq!(event.detail["payment"]["statusId"], "2");
    servers.close_proxy().await;
    servers.set_status("Paid");
    servers.reopen_proxy().await;
    shows_status(&checkout, "Paid").await;
    let names = browser.event_names().await;
    let statuses = names.iter().filter(|name| *name == "tender-status");
    assert_eq!(statuses.count(), 2);
}

async fn shows_status(checkout: &Checkout<'_>, status: &str) {
    until(format!("the status {status}"), async || {
        Ok((checkout.text_of("status").await == status).then_some(()))
    })
    .await;
}

/// A phone stops the page while the buyer pays in the wallet's app.
#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_page_shows_what_happened_meanwhile() {
    let stage = Stage::open("en").await;
    let checkout = stage.pay("Bitcoin, Bitcoin", Scenery::default()).await;
    let id = stage.servers.only_payment().transaction_id;
    stage
        .browser
        .while_frozen(|| stage.servers.set_status(STATUS_PAID))
        .await;
    stage.reads(&checkout, "paid").await;
    let event = stage.browser.event("tender-paid").await;
    assert_eq!(event.detail["payment"]["transactionId"], id);
}
