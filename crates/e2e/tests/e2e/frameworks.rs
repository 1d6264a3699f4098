//! The example apps: built from the packed npm package by each framework's own tools, then bought in.
//!
//! Each build also checks the types of its framework, with the file of `types/` beside the example's own.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use tender_programs::{Server, free_address};
use thirtyfour::By;

use crate::npm;
use crate::support::{
    Browser, STATUS_PAID, STATUS_PENDING, Servers, named, output, publish, until,
};

/// Uses of the elements in the template of a framework: the app, the name of the file in it, and its content.
const TYPES: [(&str, &str, &str); 3] = [
    ("react", "Types.tsx", include_str!("types/react.tsx")),
    (
        "svelte",
        "Types.svelte",
        include_str!("types/svelte.svelte"),
    ),
    ("vue", "Types.vue", include_str!("types/vue.vue")),
];

// The servers of Next.js and SvelteKit render the element with its order, the form and its fallback; the browser takes it over.
tests_with! { pays_in:
    a_buyer_pays_in_a_shop_with_angular = App::build("angular"),
    a_buyer_pays_in_a_shop_with_next = App::build("next"),
    a_buyer_pays_in_a_shop_with_react = App::build("react"),
    a_buyer_pays_in_a_shop_with_react_18 = App::with_react_18(),
    a_buyer_pays_in_a_shop_with_svelte = App::build("svelte"),
    a_buyer_pays_in_a_shop_with_sveltekit = App::build("sveltekit"),
    a_buyer_pays_in_a_shop_with_vue = App::build("vue"),
}

/// The amount is shown, events reach the framework's listeners, and a changed property reaches the element.
async fn pays_in(app: App) {
    let address = free_address();
    let origin = format!("http://{address}");
    let servers = Servers::open_notifying(Some(address), publish).await;
    let is_rendered = app.is_rendered();
    let _backend = app.serve(address, &servers).await;
    if is_rendered {
        let root = "<template shadowrootmode=\"open\"><style>";
        let html = until("a page with the form", async || {
            let page = reqwest::get(&origin).await.unwrap();
            let html = page.text().await.unwrap();
            Ok(html.contains(root).then_some(html))
        })
        .await;
        let proxy = servers.proxy_url();
        let element = format!("<tender-checkout proxy=\"{proxy}\" order=\"ey");
        let form = format!("<form method=\"get\" action=\"{proxy}/pay\"");
        let order = "<input type=\"hidden\" name=\"order\" value=\"ey";
        let fallback = format!("<a href=\"{proxy}/pay?order=ey");
        for part in [&element, &form, order, &fallback] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    let browser = Browser::start().await;
    let checkout = browser.visit(&origin).await;
    says(&browser, "No payment yet").await;
    // Before the loader is there, the form of a rendered page leads to the payment page.
    browser.event("tender-ready").await;
    assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5");
    let payment = servers.only_payment();
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
    says(&browser, &format!("Created: {}", payment.transaction_id)).await;

    browser.click(By::Css("main > button")).await;
    checkout.has("[lang=de]").await;

    for (text, word) in [(STATUS_PENDING, "Pending"), (STATUS_PAID, "Paid")] {
        servers.set_status(text);
        says(&browser, &format!("{word}: {}", payment.transaction_id)).await;
    }

    let mut loaders = browser.requested().await;
    loaders.retain(|name| name.ends_with("/v1/checkout.js"));
    assert_eq!(loaders.len(), 1);
    assert_eq!(browser.console_errors().await, [""; 0]);
}

/// `npm run dev` serves each page at the origin that the demo is told to allow, and takes orders from the backend.
#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_while_a_page_is_developed() {
    assert!(
        include_str!("../../../../examples/README.md").contains("--origin http://localhost:3000\n")
    );
    let (page, backend) = (free_address(), free_address());
    let origin = format!("http://localhost:{}", page.port());
    let servers = Servers::open_with(|proxy| {
        proxy.server.allow_origins.push(origin.parse().unwrap());
    })
    .await;
    let folder = TempDir::new().unwrap();
    let mut shop = shop(folder.path());
    shop.envs(settings(backend, &servers));
    let _backend = Server::start(backend, folder, &mut shop).await;
    let browser = Browser::start().await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for (name, config) in [
        ("react", ["vite.config.js", "vite.config.js"]),
        ("vue", ["vite.config.js", "vite.config.js"]),
        ("svelte", ["vite.config.js", "vite.config.js"]),
        ("angular", ["angular.json", "proxy.json"]),
    ] {
        let app = App::install(name);
        let [own, orders] = config;
        app.replace(own, ": 3000,", &format!(": {},", page.port()));
        app.replace(orders, "127.0.0.1:3001", &backend.to_string());
        let mut dev = app.script("dev");
        let _server = Server::start(page, app.folder, &mut dev).await;
        // Before `ng serve` serves the page, it listens for a moment to see whether the port is free.
        until("a response of the server", async || {
            Ok(client.get(&origin).send().await.ok())
        })
        .await;
        let checkout = browser.visit(&origin).await;
        assert_eq!(checkout.pay("Tether USD, TRON").await, "48.5", "{name}");
    }
}

/// Waits until the app's listeners have written this into the page.
async fn says(browser: &Browser, text: &str) {
    let is_said = "return document.querySelector('output').textContent === arguments[0]";
    browser.sees(text, is_said, [json!(text)]).await;
}

/// A built example. It is below the folder with its libraries, where Node.js looks for them.
struct App {
    name: &'static str,
    folder: TempDir,
}

impl App {
    /// Copies an example, and installs the package.
    fn install(name: &'static str) -> Self {
        let folder = npm::install_beside(name);
        copy(&examples().join(name), folder.path());
        Self { name, folder }
    }

    /// Builds an example, with a file that uses the types of its framework.
    fn build(name: &'static str) -> Self {
        let app = Self::install(name);
        for (_, file, content) in TYPES.iter().filter(|(app, ..)| *app == name) {
            fs::write(app.folder.path().join("src").join(file), content).unwrap();
        }
        app.run_build()
    }

    /// The example for React, with older libraries in its own folder, where they are found first.
    fn with_react_18() -> Self {
        let app = Self::install("react");
        let libraries = app.folder.path().join("node_modules");
        copy(Path::new(&named("REACT_18")), &libraries);
        app.run_build()
    }

    fn run_build(self) -> Self {
        output(
            Command::new("npm")
                .args(["run", "build"])
                .current_dir(&self.folder)
                .env("NEXT_TELEMETRY_DISABLED", "1"),
        );
        self
    }

    /// Replaces a text in a file.
    fn replace(&self, file: &str, from: &str, to: &str) {
        let path = self.folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} lacks {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }

    /// A script of the package, run without npm, which doesn't end it when it is killed.
    fn script(&self, name: &str) -> Command {
        let description = fs::read(self.folder.path().join("package.json")).unwrap();
        let description: Value = serde_json::from_slice(&description).unwrap();
        let script = description["scripts"][name].as_str().unwrap();
        let mut command = Command::new("sh");
        command
            .args([
                "-ec",
                &format!("PATH=../node_modules/.bin:$PATH; exec {script}"),
            ])
            // `localhost` is the address that the test asks for.
            .env("NODE_OPTIONS", "--dns-result-order=ipv4first");
        command
    }

    /// Whether a server renders the page.
    fn is_rendered(&self) -> bool {
        ["next", "sveltekit"].contains(&self.name)
    }

    /// Starts the backend at this address: what renders the page has its own, the others share one.
    async fn serve(self, address: SocketAddr, servers: &Servers) -> Server {
        let mut command = if self.is_rendered() {
            self.script("start")
        } else {
            shop(self.folder.path())
        };
        command.envs(settings(address, servers));
        Server::start(address, self.folder, &mut command).await
    }
}

/// The backend of the examples whose page no server renders, beside its libraries. It serves the page that is built in this folder.
fn shop(folder: &Path) -> Command {
    let backend = folder.join("backend");
    copy(&examples().join("backend"), &backend);
    symlink(named("SHOP_NODE"), backend.join("node_modules")).unwrap();
    let mut node = Command::new("node");
    node.args(["backend/shop.js", "dist"]);
    node
}

/// What a backend reads from its environment.
fn settings(address: SocketAddr, servers: &Servers) -> [(&'static str, String); 5] {
    [
        ("ORDER_KEY", servers.order_key()),
        ("PROXY", servers.proxy_url()),
        ("PORT", address.port().to_string()),
        ("HOST", address.ip().to_string()),
        ("NEXT_TELEMETRY_DISABLED", "1".to_owned()),
    ]
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Copies a folder, without what was installed or built in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if !entry.file_type().unwrap().is_dir() {
            fs::copy(source, target).unwrap();
        } else if !["node_modules", "dist", ".next", ".svelte-kit"]
            .iter()
            .any(|made| entry.file_name() == *made)
        {
            copy(&source, &target);
        }
    }
}

/// `npm/` lacks the version and the types that the elements bring.
#[test]
fn the_sources_of_the_package_say_how_to_pack_it() {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/../../npm");
    let packed = Command::new("npm")
        .args(["pack", "--dry-run"])
        .current_dir(sources)
        .output()
        .unwrap();
    assert!(!packed.status.success());
    let errors = String::from_utf8(packed.stderr).unwrap();
    assert!(errors.contains("`cargo xtask npm`"), "{errors}");
}
