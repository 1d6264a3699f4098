//! The servers of all variants on this machine: nginx for the files, and behind it the real proxy
//! and the sandbox.
//!
//! The shop has its own origin, as in production. All files are compressed by the same encoder with
//! brotli's best setting and served over HTTP/1.1.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;
use minijinja::context;
use serde_json::Value;

use super::listing;
use super::variant::Variant;
use crate::name_of;
use crate::orders::Signer;
use crate::server::{self, Sandbox, Server, address};

const NGINX: &str = include_str!("../../nginx/widget.conf");

/// The shop's page.
const SHOP: &str = include_str!("../../widget/shop.html");

/// The form for the attributes of the signed order and of the shop's page.
const FORM: &str = "/v1/checkout.html?token=usdtt&quantity=25.00&locale=en";

/// The path of the token listing.
const LISTING: &str = "/api/v1/rates/my-tokens";

/// How long the proxy may take to serve another listing.
const LIST_LIMIT: Duration = Duration::from_secs(30);

/// The running servers. Dropping it stops them.
pub(super) struct Site {
    /// The origin of the checkouts, for files and API.
    address: String,
    /// The same without `/v1/checkout.html`.
    unrouted: String,
    /// The origin of the shop.
    shop: String,
    /// The form for the shop's page, with inline and with linked styles, without an order.
    forms: [String; 2],
    /// Adyen's payment methods, which its documentation embeds in the page.
    payment_methods: String,
    /// The files of the module, by the kind of the tag that preloads them, for a shop's backend.
    module: BTreeMap<String, Vec<String>>,
    signer: Signer,
    sandbox: Sandbox,
    folder: tempfile::TempDir,
    _servers: [Server; 2],
}

impl Site {
    /// Serves `dist`, the built widget, and `others`, the built floors and other checkouts.
    pub(super) fn open(dist: &Path, others: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let at = folder.path();
        fs::create_dir(at.join("shop"))?;
        let sandbox = Sandbox::start(at)?;
        let [listen, address, unrouted, shop] = [address(), address(), address(), address()];
        let mut nginx = server::nginx(
            at,
            "master_process off;",
            NGINX,
            context! {
                dist => dist.to_string_lossy(),
                others => others.to_string_lossy(),
                proxy => &listen,
                address => &address,
                unrouted => &unrouted,
                shop => &shop,
            },
        )?;
        let [address, unrouted, shop] =
            [address, unrouted, shop].map(|address| format!("http://{address}"));
        let servers = [
            Server::start(
                "tender-proxy",
                sandbox
                    .proxy(
                        &server::binary("tender-proxy")?,
                        &server::sqlite(at),
                        &listen,
                    )
                    .args(["--allow-origin", &shop])
                    .args(["--public-url", &address])
                    // Only cached listings are compressed. No load takes that long, and waiting for another listing stays short.
                    .args(["--token-cache-seconds", "5"]),
                at,
                &format!("http://{listen}/healthz"),
            )?,
            Server::start("nginx", &mut nginx, at, &format!("{address}/healthz"))?,
        ];
        let form = |inline| get(&format!("{address}{FORM}&inline={inline}"));
        let module = fs::read(dist.join("v1/checkout.preload.json"))?;
        let site = Self {
            forms: [form("style")?, form("link")?],
            payment_methods: fs::read_to_string(others.join("answers/payment-methods.json"))?,
            module: serde_json::from_slice(&module)?,
            address,
            unrouted,
            shop,
            signer: Signer::new(),
            sandbox,
            folder,
            _servers: servers,
        };
        site.publish("empty", "", "")?;
        Ok(site)
    }

    /// The URL of an empty page of the shop.
    pub(super) fn empty_page(&self) -> String {
        self.page("empty")
    }

    /// Publishes the shop's page with a variant and an order of this invoice number. Returns the URL of the checkout: of
    /// that page, or of the payment page.
    pub(super) fn page_with(&self, variant: Variant, invoice: &str) -> Result<String> {
        let order = self.signer.sign(invoice)?;
        let [inline, linked] = &self.forms;
        let form = match variant {
            Variant::Hosted => return Ok(format!("{}/pay?order={order}", self.address)),
            Variant::TenderInPageLinked => linked,
            _ => inline,
        };
        let key = name_of(&variant);
        self.publish(&key, &order, &form.replace("{{order}}", &order))?;
        Ok(self.page(&key))
    }

    fn page(&self, name: &str) -> String {
        format!("{}/shop/{name}.html", self.shop)
    }

    /// Writes the shop's page with the variant of this name, if there is one.
    fn publish(&self, variant: &str, order: &str, form: &str) -> Result<()> {
        let address = match variant {
            "tender-unrouted" => &self.unrouted,
            _ => &self.address,
        };
        let context = context! {
            variant,
            address,
            order,
            form,
            module => &self.module,
            payment_methods => &self.payment_methods,
        };
        let path = self.folder.path().join(format!("shop/{variant}.html"));
        Ok(fs::write(path, server::render(SHOP, context)?)?)
    }

    /// Makes the service list this many tokens: its own ones and others with codes that it does not
    /// accept. Returns when the proxy serves the new listing.
    pub(super) fn list(&self, count: usize) -> Result<()> {
        let url = format!("http://{}/sandbox/tokens", self.sandbox.payments);
        minreq::delete(&url).send()?;
        let rates = format!("http://{}{LISTING}", self.sandbox.rates);
        let own: Value = serde_json::from_str(&get(&rates)?)?;
        let records = listing::of_length(own, count).context("the sandbox lists no tokens")?;
        minreq::put(&url).with_body(records.to_string()).send()?;
        let deadline = Instant::now() + LIST_LIMIT;
        let listed = format!("{}{LISTING}", self.address);
        while serde_json::from_str::<Value>(&get(&listed)?)? != records {
            let is_in_time = Instant::now() < deadline;
            ensure!(
                is_in_time,
                "the proxy did not serve another listing in time"
            );
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

/// The text at a URL.
fn get(url: &str) -> Result<String> {
    let response = minreq::get(url).send()?;
    let text = response.as_str()?;
    ensure!(response.status_code == 200, "{url}: {text}");
    Ok(text.to_owned())
}
