//! The commands of docs/quick-start.md, as a reader enters them.
//!
//! With `DEMO_SANDBOX`, the address of the sandbox of a demo that runs already, the page's own command is run as it is, with
//! the environment of a reader (`ORDER_KEY`), at the page's own address. Without it, this test starts the same servers.

use std::env;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tender_programs::{Server, free_address};

use crate::support::Browser;
use crate::test_mode::{demo, mark_payment};

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
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new("sh");
    command.args([
        "-ec",
        &format!("cd '{}'; exec {own_page}", repository.display()),
    ]);
    let (address, sandbox, _servers) = if let Ok(sandbox) = env::var("DEMO_SANDBOX") {
        (SocketAddr::from(([127, 0, 0, 1], 3000)), sandbox, None)
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
    checkout.pay_with("Tether USD, TRON").await;
    assert_eq!(checkout.amount().await, "48.5");

    let driver = browser.driver();
    let own_tab = driver.window().await.unwrap();
    let tab = driver.new_tab().await.unwrap();
    driver.switch_to_window(tab).await.unwrap();
    mark_payment(&browser, &format!("{sandbox}/sandbox/page"), "Paid").await;
    driver.switch_to_window(own_tab).await.unwrap();
    checkout.reads("Payment received").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}
