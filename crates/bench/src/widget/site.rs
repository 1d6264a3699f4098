//! The servers of all variants on this machine: nginx for the files, and behind it the real proxy
//! and the sandbox.
//!
//! The shop has its own origin, as in production. All files are compressed by the same encoder with
//! brotli's best setting and served over HTTP/1.1.

mod tokens;

use std::path::PathBuf;

use fs_err as fs;

use crate::error::Error;
use crate::orders::Signer;
use crate::server::{self, Server, address as free_address};

use super::markup::{FORM, Markup};
use super::nginx::Nginx;
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
        let folder = tempfile::tempdir()?;
        let at = folder.path();
        fs::create_dir(at.join("shop"))?;
        let [payments, rates, proxy] = [free_address()?, free_address()?, free_address()?];
        let [address, unrouted, shop] = [free_address()?, free_address()?, free_address()?];
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
            server::sandbox(&paths.binaries, at, &payments, &rates)?,
            Server::start(
                "tender-proxy",
                server::proxy(
                    &paths.binaries.join("tender-proxy"),
                    &server::sqlite(at),
                    &proxy,
                    &payments,
                    &rates,
                )
                .args(["--allow-origin", &shop_url])
                .args(["--public-url", &address_url])
                .args(["--upstream-header", "Authorization: Bearer credentials"])
                // Only cached listings are compressed. No load takes that long, and waiting for another listing stays short.
                .args(["--token-cache-seconds", "5"])
                // All pages are loaded from one address.
                .args(["--rate-limit-tokens", "0", "--rate-limit-create", "0"]),
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
                [form(&proxy, "style")?, form(&proxy, "link")?],
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
        Ok(fs::write(path, page)?)
    }
}

/// The form for the HTML of a shop's page, from the proxy at this address.
fn form(proxy: &str, inline: &str) -> Result<String, Error> {
    let url = format!("http://{proxy}{FORM}&inline={inline}");
    let wrong = |answer: String| Error::Wrong {
        program: "tender-proxy".to_owned(),
        url: url.clone(),
        answer,
    };
    let response = minreq::get(&url).send();
    let response = response.map_err(|error| wrong(error.to_string()))?;
    let text = response.as_str().unwrap_or_default().to_owned();
    if response.status_code == 200 {
        Ok(text)
    } else {
        Err(wrong(text))
    }
}
