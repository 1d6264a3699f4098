//! After the payment was created: transaction, block explorer and status.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tender_protocol::{Status, path};
use tender_proxy::config::Database;

use crate::support::{Browser, Checkout, Forwarder, Role, Servers, until};

/// 64 hexadecimal digits, which make up a transaction hash on every supported network. Explorers write them in lower
/// case; buyers may not.
const DIGITS: &str = "9F8c1b0f6a2d4e5c7b8a9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c";

struct Expected {
    token: &'static str,
    /// The prefix of the 64 digits.
    prefix: &'static str,
    explorer: &'static str,
    /// The explorer's prefix for transactions, including `#`.
    transactions: &'static str,
    /// The error for an invalid hash.
    wrong: &'static str,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_shows_the_transaction_on_bitcoin() {
    shows_the_transaction(&Expected {
        token: "Bitcoin, Bitcoin",
        prefix: "",
        explorer: "https://mempool.space/",
        transactions: "https://mempool.space/tx/",
        wrong: "That is not a transaction hash on Bitcoin. It has 64 letters and digits, \
                without spaces.",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_shows_the_transaction_on_tron() {
    shows_the_transaction(&Expected {
        token: "Tether USD, TRON",
        prefix: "",
        explorer: "https://tronscan.org/",
        transactions: "https://tronscan.org/#/transaction/",
        wrong: "That is not a transaction hash on TRON. It has 64 letters and digits, \
                without spaces.",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_shows_the_transaction_on_bnb_smart_chain() {
    shows_the_transaction(&Expected {
        token: "BNB, BNB Smart Chain",
        prefix: "0x",
        explorer: "https://bscscan.com/",
        transactions: "https://bscscan.com/tx/",
        wrong: "That is not a transaction hash on BNB Smart Chain. It begins with 0x and has 64 \
                more letters and digits.",
    })
    .await;
}

async fn shows_the_transaction(expected: &Expected) {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(expected.token).await;
    checkout.amount().await;
    assert_eq!(
        checkout.attribute("explorer", "href").await,
        expected.explorer
    );

    let host = expected
        .explorer
        .trim_start_matches("https://")
        .trim_end_matches('/');
    checkout.get(Role::Link, &format!("Open {host}")).await;

    let hash = format!("{}{DIGITS}", expected.prefix);
    let field = hash_field(&checkout).await;
    // One digit is missing.
    field.send_keys(&hash[..hash.len() - 1]).await.unwrap();
    assert_eq!(checkout.alert().await, expected.wrong);
    assert_eq!(
        checkout.attribute("explorer", "href").await,
        expected.explorer
    );

    field.send_keys(&hash[hash.len() - 1..]).await.unwrap();
    let hash = hash.to_lowercase();
    let event = browser.event("tender-transaction").await;
    let url = format!("{}{hash}", expected.transactions);
    assert_eq!(event.detail, json!({ "hash": hash, "url": url }));
    checkout
        .get(Role::Link, &format!("See the transaction on {host}"))
        .await;
    assert_eq!(checkout.attribute("explorer", "href").await, url);
    assert_eq!(
        checkout.attribute("explorer", "rel").await,
        "noopener noreferrer"
    );
    assert_eq!(checkout.attribute("explorer", "target").await, "_blank");
    assert!(checkout.names(Role::Alert).await.is_empty());
    let text = checkout.text().await;
    assert!(text.contains("Do not send again"), "{text}");
}

/// The format of the network's transactions is unknown, so the checkout doesn't ask for a hash.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_network_has_its_explorer_and_no_field() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with("KXP, KXP").await;
    checkout.amount().await;
    assert_eq!(
        checkout.attribute("explorer", "href").await,
        "https://explorer.invalid/"
    );
    assert!(checkout.select("details").await.unwrap().is_empty());
}

/// The buyer sees an undocumented status in the service's words, within seconds and without any action.
#[tokio::test(flavor = "multi_thread")]
async fn the_buyer_reads_what_the_service_says() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    let amount = checkout.amount().await;
    assert_eq!(checkout.text_of("status").await, "Created");

    let changed = Instant::now();
    set_status(&servers, "Confirming");
    shows_status(&checkout, "Confirming").await;
    let delay = changed.elapsed();
    assert!(delay < Duration::from_secs(15), "it took {delay:?}");
    let event = browser.event("tender-status").await;
    assert_eq!(event.detail["payment"]["statusText"], "Confirming");
    assert_eq!(event.detail["payment"]["statusId"], "7");
    set_status(&servers, "Paid");
    shows_status(&checkout, "Paid").await;
    assert_eq!(checkout.amount().await, amount);
}

/// The page stays open while the proxy restarts, and receives the remaining changes afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_of_the_proxy_is_bridged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tender.db");
    let mut servers = Servers::open_with(|proxy| {
        proxy.store.database = Database::File(file.clone());
        proxy.tracking.poll_interval = Duration::from_millis(500);
    })
    .await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    checkout.amount().await;
    set_status(&servers, "Confirming");
    shows_status(&checkout, "Confirming").await;
    servers.close_proxy().await;
    set_status(&servers, "Paid");
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
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    checkout.amount().await;
    for status in ["Confirming", "Paid"] {
        set_status(&servers, status);
        shows_status(&checkout, status).await;
    }
    // When the other instance stops, the buyer's own continues.
    assert!(reader.stop().await);
    set_status(&servers, "Settled");
    shows_status(&checkout, "Settled").await;
}

/// With a proxy that can't report the status, the payment stays as it was.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_status_route_nothing_is_said() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let forwarder = Forwarder::before(&servers.proxy_url()).await;
    let proxy = forwarder.url();
    let order = servers.sign(json!({
        "token": "usdtt", "quantity": "48.50", "invoiceNumber": "INV-1042",
    }));
    let page = servers.page(&format!(
        "<script src=\"{proxy}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{proxy}\" order=\"{order}\"></tender-checkout>"
    ));
    let checkout = browser.visit(&page).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    let amount = checkout.amount().await;
    let id = servers.only_payment().transaction_id;
    set_status(&servers, "Confirming");

    let refresh = "arguments[0].refresh(); return null";
    let _: Value = browser
        .run(refresh, [checkout.host().to_json().unwrap()])
        .await;
    let route = format!("{proxy}{}/{id}", path::PAYMENT);
    until("the proxy's answer", async || {
        let answered =
            "return performance.getEntriesByName(arguments[0]).at(-1)?.responseStatus ?? 0";
        let status: u16 = browser.run(answered, [route.clone().into()]).await;
        Ok((status == 404).then_some(()))
    })
    .await;

    // An event that comes later proves that the response has been processed.
    let field = hash_field(&checkout).await;
    field.send_keys(DIGITS).await.unwrap();
    browser.event("tender-transaction").await;
    let names = ["tender-ready", "tender-created", "tender-transaction"];
    assert_eq!(browser.event_names().await, names);
    assert_eq!(checkout.text_of("status").await, "Created");
    assert_eq!(checkout.amount().await, amount);
    assert!(checkout.names(Role::Alert).await.is_empty());
}

/// Sets the status of the only payment.
fn set_status(servers: &Servers, status: &str) {
    let id = servers.only_payment().transaction_id;
    let status = Status::new("7", status).unwrap();
    servers.service().set_status(&id, status).unwrap();
}

async fn shows_status(checkout: &Checkout<'_>, status: &str) {
    until(format!("the status {status}"), async || {
        Ok((checkout.text_of("status").await == status).then_some(()))
    })
    .await;
}

async fn hash_field(checkout: &Checkout<'_>) -> thirtyfour::WebElement {
    let summary = checkout.select(".hash > summary").await.unwrap().remove(0);
    assert_eq!(summary.text().await.unwrap(), "Already sent it?");
    summary.click().await.unwrap();
    checkout.get(Role::TextBox, "Transaction hash").await
}
