//! The example apps: built from the packed npm package by each framework's own tools, then bought in.
//!
//! Each build also checks the types of its framework, with the file of `types/` beside the example's own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use tempfile::TempDir;
use tender_protocol::Status;
use thirtyfour::By;

use crate::npm;
use crate::support::{Browser, STATUS_PAID, Servers, free_address, until};

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
    let _backend = app.serve(address, &servers);

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
    folder: TempDir,
}

/// The backend of an app. Dropping it ends the process.
struct Backend(Child);

impl App {
    /// Copies an example, installs the package, adds a source file, and builds it.
    fn build(name: &str, more: Option<(&str, &str)>) -> Self {
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
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&built.stdout);
        let error = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}{error}");
        Self { folder }
    }

    /// Starts the examples' backend, and waits until it listens.
    fn serve(&self, address: SocketAddr, servers: &Servers) -> Backend {
        let mut child = Command::new("node")
            .arg(examples().join("shop.js"))
            .arg(self.folder.path().join("dist"))
            .env("ORDER_KEY", servers.order_key())
            .env("PROXY", servers.proxy_url())
            .env("PORT", address.port().to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let backend = Backend(child);
        assert_eq!(line.trim(), format!("http://{address}"));
        backend
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        // This fails only if it has ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
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
        } else if entry.file_name() != "node_modules" && entry.file_name() != "dist" {
            copy(&source, &target);
        }
    }
}
