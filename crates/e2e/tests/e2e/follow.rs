//! The status, in the service's words, after the payment was created.

use std::time::Duration;

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

/// Two instances share a PostgreSQL database. The buyer's instance rarely polls the list itself.
#[tokio::test(flavor = "multi_thread")]
async fn the_buyer_may_be_at_another_instance() {
    let server = tender_programs::Postgres::shared();
    let database = server.new_database();
    let servers = Servers::open_with(|proxy| {
        proxy.store.database = database.parse().unwrap();
        proxy.tracking.poll_interval = Duration::from_secs(1);
    })
    .await;
    let reader = servers.another_proxy(|proxy| {
        proxy.tracking.poll_interval = Duration::from_millis(50);
    });
    let reader = reader.await;
    let browser = Browser::start().await;
    let checkout = browser
        .pay(&servers.shop_page(""), "Bitcoin, Bitcoin")
        .await;
    for status in ["Confirming", "Paid"] {
        servers.set_status(status);
        shows_status(&checkout, status).await;
    }
    // When the other instance stops, the buyer's own continues.
    assert!(reader.stop().await);
    servers.set_status("Settled");
    shows_status(&checkout, "Settled").await;
}

async fn shows_status(checkout: &Checkout<'_>, status: &str) {
    until(format!("the status {status}"), async || {
        Ok((checkout.text_of("status").await == status).then_some(()))
    })
    .await;
}
