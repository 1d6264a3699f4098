//! The example shops: a buyer pays in each, and its order page says so. One is run by the commands of docs/shops.md.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY};
use tender_programs::{Server, free_address};
use thirtyfour::By;

use crate::quick_start::code;
use crate::support::{Browser, Role, STATUS_PAID, Servers, proxy_binary, publish, until};

async fn sells(example: &Example) {
    let address = free_address();
    let servers = Servers::open_notifying(Some(address), publish).await;
    if let Some(shop) = example.start(address, &servers.shop_settings()).await {
        pays_in(&shop.server, &servers, STATUS_PAID).await;
    }
}

/// Buys in a running shop. `paid` is the status that its proxy takes for paid.
async fn pays_in(shop: &Server, servers: &Servers, paid: &str) {
    until("a page with the form", async || {
        let page = reqwest::get(shop.url("/")).await.unwrap();
        let html = page.text().await.unwrap();
        let root = r#"<template shadowrootmode="open"><style nonce=""#;
        Ok(html.contains(root).then_some(()))
    })
    .await;

    let browser = Browser::start().await;
    let checkout = browser.visit(&shop.url("/")).await;
    // Before the loader is there, the form in the page leads to the payment page.
    browser.event("tender-ready").await;
    assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5");
    let payment = servers.only_payment();

    let link = browser.find(By::LinkText("Your order")).await;
    let order_page = link.prop("href").await.unwrap().unwrap();
    let invoice = payment.invoice_number.as_deref().unwrap();
    assert_eq!(order_page, shop.url(&format!("/orders/{invoice}")));
    let page = reqwest::get(&order_page).await.unwrap();
    assert_eq!(page.headers()["refresh"], "3");
    let html = page.text().await.unwrap();
    assert!(html.contains("<h1>Waiting for payment</h1>"), "{html}");

    servers.set_status(paid);
    let back = checkout.get(Role::Link, "Back to the shop").await;
    back.click().await.unwrap();
    browser.is_headed("Paid").await;
    let url = browser.driver.current_url().await.unwrap();
    assert_eq!(url.as_str(), order_page);

    let missing = reqwest::get(shop.url("/orders/INV-%3Cscript%3E"));
    assert_eq!(missing.await.unwrap().status(), 404);
    assert_eq!(browser.console_errors().await, [""; 0]);
}

tests_with! { sells:
    a_shop_in_python_sells = &PYTHON,
    a_shop_in_php_sells = &PHP,
    a_shop_in_ruby_sells = &RUBY,
    a_shop_in_go_sells = &GO,
}

/// The commands of docs/shops.md, with the addresses and the folders of this test.
#[tokio::test(flavor = "multi_thread")]
async fn a_shop_in_node_sells_by_the_commands_of_the_page() {
    let page = include_str!("../../../../docs/shops.md");
    let [settings, proxy, database, node, ..] = code(page, "sh")[..] else {
        panic!("{:?}", code(page, "sh"));
    };
    let servers = Servers::open().await;
    let (service, rates) = servers.service_urls();
    let (proxy_address, shop_address) = (free_address(), free_address());
    let socket = tender_programs::Postgres::shared().socket();
    let replacements = [
        ("http://127.0.0.1:8082", service),
        ("http://127.0.0.1:8083", rates),
        ("127.0.0.1:9081", proxy_address.to_string()),
        ("localhost:3000", shop_address.to_string()),
        ("PORT=3000", format!("PORT={}", shop_address.port())),
        ("/var/run/postgresql", socket.display().to_string()),
        (
            "target/debug/tender-proxy",
            format!("exec {}", proxy_binary().display()),
        ),
        // The libraries of the lock file, which are already here.
        ("npm install\n", format!("{}\n", NODE.prepare)),
        ("node shop.js", NODE.run.to_owned()),
    ];
    // A copy of what the commands use of the repository.
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("examples/shops");
    fs::create_dir_all(copy.join("node")).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shops");
    for file in [
        "orders.sql",
        "node/form.js",
        "node/shop.js",
        "node/package.json",
    ] {
        fs::copy(examples.join(file), copy.join(file)).unwrap();
    }
    let command = |block: &str| {
        let script = replacements
            .iter()
            .fold(block.to_owned(), |script, (from, to)| {
                script.replace(from, to)
            });
        let script = format!("cd '{}'\n{script}", folder.path().display());
        let mut command = Command::new("sh");
        command.args(["-ec", &script]);
        // PostgreSQL is no server of the system here.
        command.env("PGHOST", socket).env("PGUSER", "postgres");
        command
    };
    assert!(command(settings).status().unwrap().success());
    let start = async |address, block: &str| {
        Server::start(address, TempDir::new().unwrap(), &mut command(block)).await
    };
    let _proxy = start(proxy_address, proxy).await;
    let shop = start(shop_address, &format!("{database}{node}")).await;
    pays_in(&shop, &servers, "Paid").await;
}
