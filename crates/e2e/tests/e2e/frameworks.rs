//! The example apps: built from the packed npm package by each framework's own tools, then bought in.
//!
//! Each build also checks the types of its framework, with the file of `types/` beside the example's own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use tempfile::TempDir;
use tender_programs::{Server, free_address};
use tender_protocol::Status;
use thirtyfour::By;

use crate::npm;
use crate::support::{Browser, STATUS_PAID, Servers, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_in_a_shop_with_react() {
    let app = App::build(
        "react",
        Some(("Types.tsx", include_str!("types/react.tsx"))),
    );
    pays_in(app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_in_a_shop_with_vue() {
    let app = App::build("vue", Some(("Types.vue", include_str!("types/vue.vue"))));
    pays_in(app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_in_a_shop_with_svelte() {
    let types = include_str!("types/svelte.svelte");
    let app = App::build("svelte", Some(("Types.svelte", types)));
    pays_in(app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_in_a_shop_with_angular() {
    pays_in(App::build("angular", None)).await;
}

/// The server renders the element with its order and its fallback; the browser takes it over.
#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_in_a_shop_with_next() {
    pays_in(App::build("next", None)).await;
}

/// The amount is shown, events reach the framework's listeners, and a changed property reaches the element.
async fn pays_in(app: App) {
    let address = free_address();
    let origin = format!("http://{address}");
    let servers = Servers::open_notifying(|proxy| {
        proxy.server.allow_origins.push(origin.parse().unwrap());
        proxy.orders.status_paid = vec![STATUS_PAID.to_owned()];
        proxy.notifications.poll_interval = Duration::from_millis(200);
    })
    .await;
    let is_next = app.name == "next";
    let _backend = app.serve(address, &servers).await;
    if is_next {
        let page = reqwest::get(&origin).await.unwrap();
        let html = page.text().await.unwrap();
        let proxy = servers.proxy_url();
        let element = format!("<tender-checkout proxy=\"{proxy}\" order=\"ey");
        let fallback = format!("<a href=\"{proxy}/pay?order=ey");
        assert!(
            html.contains(&element) && html.contains(&fallback),
            "{html}"
        );
    }

    let browser = Browser::start().await;
    let checkout = browser.visit(&origin).await;
    assert_eq!(news(&browser).await, "No payment yet");
    checkout.pay_with("Tether USD, TRON").await;
    assert_eq!(checkout.amount().await, "48.5");
    let payment = servers.only_payment();
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
    says(&browser, &format!("Created: {}", payment.transaction_id)).await;

    let button = browser.driver().find(By::Css("main > button")).await;
    button.unwrap().click().await.unwrap();
    checkout.has("[lang=de]").await;

    let status = Status::new("2", STATUS_PAID).unwrap();
    let service = servers.service();
    service.set_status(&payment.transaction_id, status).unwrap();
    says(&browser, &format!("Paid: {}", payment.transaction_id)).await;

    let script =
        "return [...document.scripts].filter(({ src }) => src.endsWith('/v1/checkout.js')).length";
    let loaded: usize = browser.run(script, []).await;
    assert_eq!(loaded, 1);
    assert_eq!(browser.console_errors().await, [""; 0]);
}

/// What the app's listeners have written into the page.
async fn news(browser: &Browser) -> String {
    browser
        .run("return document.querySelector('output').textContent", [])
        .await
}

async fn says(browser: &Browser, text: &str) {
    until(format_args!("{text:?} in the page"), async || {
        Ok((news(browser).await == text).then_some(()))
    })
    .await;
}

/// A built example. It is below the folder with its libraries, where Node.js looks for them.
struct App {
    name: &'static str,
    folder: TempDir,
}

impl App {
    /// Copies an example, installs the package, adds a source file, and builds it.
    fn build(name: &'static str, more: Option<(&str, &str)>) -> Self {
        let variable = format!("EXAMPLE_{}", name.to_uppercase());
        let libraries = env::var_os(&variable).unwrap_or_else(|| {
            panic!("{variable} names the libraries of examples/{name}; `cargo xtask test e2e` brings them")
        });
        let home = Path::new(&libraries).parent().unwrap();
        let folder = tempfile::Builder::new().tempdir_in(home).unwrap();
        copy(&examples().join(name), folder.path());
        npm::install(folder.path());
        if let Some((file, content)) = more {
            fs::write(folder.path().join("src").join(file), content).unwrap();
        }
        let built = Command::new("npm")
            .args(["run", "build"])
            .current_dir(folder.path())
            .env("NEXT_TELEMETRY_DISABLED", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&built.stdout);
        let error = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}{error}");
        Self { name, folder }
    }

    /// Starts the backend at this address: Next.js has its own, the others share one.
    async fn serve(self, address: SocketAddr, servers: &Servers) -> Server {
        let mut node = Command::new("node");
        node.env("ORDER_KEY", servers.order_key())
            .env("PROXY", servers.proxy_url())
            .env("PORT", address.port().to_string())
            .env("NEXT_TELEMETRY_DISABLED", "1");
        if self.name == "next" {
            node.arg("../node_modules/next/dist/bin/next");
            node.args(["start", "--hostname", "127.0.0.1"]);
        } else {
            node.arg(examples().join("shop.js")).arg("dist");
        }
        Server::start(address, self.folder, &mut node).await
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Copies a folder, without what was installed or built in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if !entry.file_type().unwrap().is_dir() {
            fs::copy(source, target).unwrap();
        } else if !["node_modules", "dist", ".next"]
            .iter()
            .any(|made| entry.file_name() == *made)
        {
            copy(&source, &target);
        }
    }
}
