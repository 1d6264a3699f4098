//! The commands of docs/quick-start.md, as a reader enters them.
//!
//! This test starts the servers of the page's first command. With `TENDER_DEMO` (the address of its shop), that command runs
//! already: then the second one runs at the page's own addresses, with the `ORDER_KEY` of the environment.

use std::env;
use std::net::SocketAddr;
use std::process::Command;

use tempfile::TempDir;
use tender_programs::{Server, free_address};

use crate::support::Browser;
use crate::test_mode::{demo, mark};

const PAGE: &str = include_str!("../../../../docs/quick-start.md");

/// The commands of a page, block by block.
pub(crate) fn commands(page: &str) -> Vec<&str> {
    let blocks = page.split("```sh\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_the_readers_own_takes_a_test_payment() {
    let [
        "cargo xtask demo --origin http://localhost:3000\n",
        own_page,
    ] = commands(PAGE)[..]
    else {
        panic!("{:?}", commands(PAGE));
    };
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = Command::new("sh");
    command.args(["-ec", &format!("cd '{repository}'; exec {own_page}")]);
    let (address, sandbox, _servers) = if env::var_os("TENDER_DEMO").is_some() {
        let address = SocketAddr::from(([127, 0, 0, 1], 3000));
        (address, "http://127.0.0.1:8082".to_owned(), None)
    } else {
        let address = free_address();
        let servers = demo(Some(address)).await;
        command
            .env("ORDER_KEY", servers.order_key())
            .env("PROXY", servers.proxy_url())
            .env("PORT", address.port().to_string());
        (address, servers.service_urls().0, Some(servers))
    };
    let _page = Server::start(address, TempDir::new().unwrap(), &mut command).await;

    let browser = Browser::start().await;
    let url = format!("http://localhost:{}", address.port());
    let checkout = browser.visit(&url).await;
    assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5");

    let own_tab = browser.open_tab().await;
    mark(&browser, &format!("{sandbox}/sandbox/page"), "Paid").await;
    browser.switch_to(own_tab).await;
    checkout.reads("Payment received").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}
