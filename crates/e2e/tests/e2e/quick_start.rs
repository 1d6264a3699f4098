//! The commands of docs/quick-start.md, as a reader enters them. The test starts the servers of the first one itself.

use std::process::Command;

use tempfile::TempDir;
use tender_programs::{Server, free_address};
use thirtyfour::By;

use crate::support::{Browser, NOTIFY_SECRET, until};
use crate::test_mode::{demo, mark};

const PAGE: &str = include_str!("../../../../docs/quick-start.md");

/// The blocks of a page in this language.
pub(crate) fn code<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let blocks = page.split("```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    let code = blocks.filter(|(own, _)| *own == language);
    code.map(|(_, code)| code).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_of_the_readers_own_sells() {
    let [
        "cargo xtask demo --origin http://localhost:3000 --notify-url http://localhost:3000/notifications\n",
        shops @ ..,
    ] = &code(PAGE, "sh")[..]
    else {
        panic!("{:?}", code(PAGE, "sh"));
    };
    assert_eq!(shops.len(), 2, "one in Node.js, one in PHP");
    for command in shops {
        sells(command).await;
    }
}

/// Buys in the shop that this command starts.
async fn sells(command: &str) {
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let address = free_address();
    let servers = demo(Some(address)).await;
    let orders = TempDir::new().unwrap();
    let command = command.replace("127.0.0.1:3000", &address.to_string());
    let mut shop = Command::new("sh");
    shop.args(["-ec", &format!("cd '{repository}'; exec {command}")])
        .env("ORDER_KEY", servers.order_key())
        .env("NOTIFY_SECRET", NOTIFY_SECRET)
        .env("ALLOW_TEST_MODE", "true")
        .env("PROXY", servers.proxy_url())
        .env("PORT", address.port().to_string())
        .env("ORDERS", orders.path());
    let _shop = Server::start(address, TempDir::new().unwrap(), &mut shop).await;

    let browser = Browser::start().await;
    let url = format!("http://localhost:{}", address.port());
    let checkout = browser.visit(&url).await;
    browser.is_headed("One mug, 48.50 USDT").await;
    assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5");

    let sandbox = format!("{}/sandbox/page", servers.service_urls().0);
    browser.in_tab(mark(&browser, &sandbox, "Paid")).await;
    checkout.reads("Payment received").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
    // The proxy has notified the shop.
    until("the shop's order is paid", async || {
        browser.driver.refresh().await?;
        let heading = browser.driver.find(By::Tag("h1")).await?.text().await?;
        Ok((heading == "Paid: we are packing your mug").then_some(()))
    })
    .await;
}
