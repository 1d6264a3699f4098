//! The status, in the service's words, after the payment was created.

use tender_proxy::config::Database;

use crate::support::{Browser, Checkout, Servers, until};

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
        .pay(&servers.shop_page(""), "Bitcoin, Bitcoin")
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
