//! The commands of docs/quick-start.md, as a reader enters them. The test starts the servers of the first one itself.

use std::process::Command;

use tempfile::TempDir;
use tender_programs::{Server, free_address};

use crate::support::Browser;
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
async fn a_page_of_the_readers_own_takes_a_test_payment() {
    let [
        "cargo xtask demo --origin http://localhost:3000\n",
        own_page,
    ] = code(PAGE, "sh")[..]
    else {
        panic!("{:?}", code(PAGE, "sh"));
    };
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let address = free_address();
    let servers = demo(Some(address)).await;
    let mut command = Command::new("sh");
    command
        .args(["-ec", &format!("cd '{repository}'; exec {own_page}")])
        .env("ORDER_KEY", servers.order_key())
        .env("PROXY", servers.proxy_url())
        .env("PORT", address.port().to_string());
    let _page = Server::start(address, TempDir::new().unwrap(), &mut command).await;

    let browser = Browser::start().await;
    let url = format!("http://localhost:{}", address.port());
    let checkout = browser.visit(&url).await;
    assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5");

    let sandbox = format!("{}/sandbox/page", servers.service_urls().0);
    browser.in_tab(mark(&browser, &sandbox, "Paid")).await;
    checkout.reads("Payment received").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}
