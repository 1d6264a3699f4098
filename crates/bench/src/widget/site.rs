//! The servers of all variants on this machine: nginx for the files, and behind it the real proxy
//! and the sandbox.
//!
//! The shop has its own origin, as in production. All files are compressed by the same encoder with
//! brotli's best setting and served over HTTP/1.1.

mod tokens;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::error::Error;
use crate::orders::{ORDER_KEY, Signer};
use crate::server::{Server, free_port};

use super::markup::Markup;
use super::nginx::{LISTING, Nginx};
use super::variant::Variant;

/// Paths of the programs and files.
pub(super) struct Paths {
    /// The directory of Cargo's binaries.
    pub(super) binaries: PathBuf,
    /// The built widget.
    pub(super) dist: PathBuf,
    /// The built floors and other checkouts.
    pub(super) others: PathBuf,
}

/// The running servers. Dropping it stops them.
pub(super) struct Site {
    /// The origin of the checkouts, for files and API.
    address: String,
    /// The origin of the shop.
    shop: String,
    service: String,
    rates: String,
    markup: Markup,
    signer: Signer,
    folder: tempfile::TempDir,
    _servers: [Server; 3],
}

impl Site {
    pub(super) fn open(paths: &Paths) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(|source| Error::File {
            path: std::env::temp_dir(),
            source,
        })?;
        let at = folder.path();
        fs::create_dir(at.join("shop")).map_err(Error::file(at))?;
        let mut ports = [0; 6];
        for port in &mut ports {
            *port = free_port()?;
        }
        let [payments, rates, proxy, address, unrouted, shop] =
            ports.map(|port| format!("127.0.0.1:{port}"));
        let [service, rates_url, address_url, unrouted_url, shop_url] =
            [&payments, &rates, &address, &unrouted, &shop].map(|host| format!("http://{host}"));
        let nginx = Nginx {
            folder: at,
            dist: &paths.dist,
            others: &paths.others,
            address: &address,
            unrouted: &unrouted,
            shop: &shop,
            proxy: &proxy,
        };
        let servers = [
            Server::start(
                "tender-sandbox",
                Command::new(paths.binaries.join("tender-sandbox"))
                    .args(["--listen", &payments, "--rates-listen", &rates])
                    .env("RUST_LOG", "warn"),
                at,
                &format!("{rates_url}{LISTING}"),
            )?,
            Server::start(
                "tender-proxy",
                Command::new(paths.binaries.join("tender-proxy"))
                    .args(["--listen", &proxy, "--order-key", ORDER_KEY])
                    .args(["--base-url", &service, "--rates-base-url", &rates_url])
                    .args(["--allow-origin", &shop_url])
                    .args(["--upstream-header", "Authorization: Bearer credentials"])
                    // Only cached listings are compressed. No load takes that long, and waiting for
                    // another listing stays short.
                    .args(["--token-cache-seconds", "5"])
                    // All pages are loaded from one address.
                    .args(["--rate-limit-tokens", "0", "--rate-limit-create", "0"])
                    .args([
                        "--database-url",
                        &format!("sqlite:{}", at.join("tender.db").display()),
                    ])
                    .args(["--log-level", "warn"]),
                at,
                &format!("http://{proxy}/healthz"),
            )?,
            Server::start(
                "nginx",
                &mut nginx.command()?,
                at,
                &format!("{address_url}/healthz"),
            )?,
        ];
        let site = Self {
            markup: Markup::read(
                &paths.dist,
                &paths.others,
                address_url.clone(),
                unrouted_url,
            )?,
            address: address_url,
            shop: shop_url,
            service,
            rates: rates_url,
            signer: Signer::new(),
            folder,
            _servers: servers,
        };
        site.put_up("empty", "", "")?;
        Ok(site)
    }

    /// The URL of an empty page of the shop.
    pub(super) fn empty_page(&self) -> String {
        self.page("empty")
    }

    /// Publishes the shop's page with a variant and an order of this invoice number. Returns the URL of the checkout: of
    /// that page, or of the payment page that it links to.
    pub(super) fn page_with(&self, variant: Variant, invoice: &str) -> Result<String, Error> {
        let order = self.signer.sign(invoice)?;
        let (head, body) = self.markup.of(variant, &order);
        self.put_up(variant.key(), &head, &body)?;
        Ok(match variant {
            Variant::Hosted => self.markup.payment_page(&order),
            _ => self.page(variant.key()),
        })
    }

    fn page(&self, name: &str) -> String {
        format!("{}/shop/{name}.html", self.shop)
    }

    fn put_up(&self, name: &str, head: &str, body: &str) -> Result<(), Error> {
        let path = self.folder.path().join(format!("shop/{name}.html"));
        // The last line moves if the checkout's height changes.
        let page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
             <title>A shop</title><link rel=\"icon\" href=\"data:,\">{head}</head>
             <body>{body}<p>Terms of the shop</p></body></html>"
        );
        fs::write(&path, page).map_err(Error::file(&path))
    }
}
