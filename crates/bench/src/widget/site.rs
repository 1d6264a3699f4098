//! The servers of all variants on this machine: nginx for the files, and behind it the real proxy
//! and the sandbox.
//!
//! The shop has its own origin, as in production. All files are compressed by the same encoder with
//! brotli's best setting and served over HTTP/1.1.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::Error;
use crate::orders::{ORDER_KEY, Signer};
use crate::server::{Server, free_port};

use super::variant::Variant;
use super::{listing, nginx};

/// The path of the token listing.
const LISTING: &str = "/api/v1/rates/my-tokens";

/// How long the proxy may take to serve another listing.
const LIST_LIMIT: Duration = Duration::from_secs(30);

/// The proxy compresses listings twice if they are longer than this.
const LONG: usize = 16 * 1024;

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
    pub(super) address: String,
    /// The origin of the shop.
    shop: String,
    /// The preload lines in the head of the shop's page, which save waiting for the loader.
    pub(super) preload_lines: String,
    /// Adyen's payment methods, which its documentation embeds in the page.
    pub(super) payment_methods: String,
    service: String,
    rates: String,
    signer: Signer,
    folder: tempfile::TempDir,
    _servers: Vec<Server>,
}

impl Site {
    pub(super) fn open(paths: &Paths) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(|source| Error::File {
            path: std::env::temp_dir(),
            source,
        })?;
        let at = folder.path();
        fs::create_dir(at.join("shop")).map_err(Error::file(at))?;
        let [payments, rates, proxy, address, shop] = [
            free_port()?,
            free_port()?,
            free_port()?,
            free_port()?,
            free_port()?,
        ]
        .map(|port| format!("127.0.0.1:{port}"));
        let shop_origin = format!("http://{shop}");
        let servers = vec![
            Server::start(
                "tender-sandbox",
                Command::new(paths.binaries.join("tender-sandbox"))
                    .args(["--listen", &payments, "--rates-listen", &rates])
                    .env("RUST_LOG", "warn"),
                at,
                &format!("http://{rates}{LISTING}"),
            )?,
            Server::start(
                "tender-proxy",
                Command::new(paths.binaries.join("tender-proxy"))
                    .args(["--listen", &proxy, "--order-key", ORDER_KEY])
                    .args(["--base-url", &format!("http://{payments}")])
                    .args(["--rates-base-url", &format!("http://{rates}")])
                    .args(["--allow-origin", &shop_origin])
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
                &mut nginx::command(at, paths, &address, &shop, &proxy)?,
                at,
                &format!("http://{address}/healthz"),
            )?,
        ];
        let answer = paths.others.join("answers/payment-methods.json");
        let address = format!("http://{address}");
        let mut site = Self {
            preload_lines: preload_lines(&paths.dist, &address)?,
            payment_methods: fs::read_to_string(&answer).unwrap_or_default(),
            address,
            shop: shop_origin,
            service: format!("http://{payments}"),
            rates: format!("http://{rates}"),
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

    /// Publishes the shop's page with a variant and an order of this invoice number.
    pub(super) fn page_with(&mut self, variant: Variant, invoice: &str) -> Result<String, Error> {
        let order = self.signer.sign(invoice)?;
        let (head, body) = variant.page(self, &order);
        self.put_up(variant.key(), &head, &body)?;
        Ok(self.page(variant.key()))
    }

    fn page(&self, name: &str) -> String {
        format!("{}/shop/{name}.html", self.shop)
    }

    fn put_up(&mut self, name: &str, head: &str, body: &str) -> Result<(), Error> {
        let path = self.folder.path().join(format!("shop/{name}.html"));
        let page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
             <title>A shop</title><link rel=\"icon\" href=\"data:,\">{head}</head>
             <body>{body}</body></html>"
        );
        fs::write(&path, page).map_err(Error::file(&path))
    }

    /// Makes the service list this many tokens: its own ones and others with codes that it does not
    /// accept. Returns when the proxy serves the new listing.
    pub(super) fn list(&self, count: usize) -> Result<(), Error> {
        let url = format!("{}/sandbox/tokens", self.service);
        let cannot = |error: String| Error::Wrong {
            program: "tender-sandbox".to_owned(),
            url: url.clone(),
            answer: error,
        };
        let sent = minreq::delete(&url).send();
        sent.map_err(|error| cannot(error.to_string()))?;
        let records = listed(&self.rates).unwrap_or_default();
        let Some(records) = listing::of_length(records, count) else {
            return Err(cannot("an invalid listing".to_owned()));
        };
        let sent = minreq::put(&url).with_body(records.to_string()).send();
        sent.map_err(|error| cannot(error.to_string()))?;
        let deadline = Instant::now() + LIST_LIMIT;
        while listed(&self.address).as_ref() != Some(&records) {
            if Instant::now() > deadline {
                return Err(cannot(
                    "a listing that the proxy did not serve in time".to_owned(),
                ));
            }
            thread::sleep(Duration::from_millis(50));
        }
        // In production a listing is unchanged for days, so wait for the proxy's best compression,
        // which starts after the listing was fetched again.
        let length = || {
            let length = self.listing_length();
            length.map_err(|error| cannot(error.to_string()))
        };
        let first = length()?;
        while first > LONG && length()? >= first {
            if Instant::now() > deadline {
                return Err(cannot(
                    "a listing that the proxy did not recompress in time".to_owned(),
                ));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Bytes of the listing, as transferred to a browser.
    fn listing_length(&self) -> Result<usize, minreq::Error> {
        let listing = minreq::get(format!("{}{LISTING}", self.address));
        let sent = listing.with_header("Accept-Encoding", "br").send()?;
        Ok(sent.as_bytes().len())
    }
}

/// Fetches the listing from a URL.
fn listed(address: &str) -> Option<Value> {
    let answer = minreq::get(format!("{address}{LISTING}")).send();
    serde_json::from_slice(answer.ok()?.as_bytes()).ok()
}

/// The preload lines, generated like a shop's backend would, as docs/embedding.md shows.
fn preload_lines(dist: &Path, address: &str) -> Result<String, Error> {
    let path = dist.join("v1/checkout.preload.json");
    let names = fs::read(&path).map_err(Error::file(&path))?;
    let names: Value = serde_json::from_slice(&names).unwrap_or_default();
    let mut lines =
        format!("<link rel=\"preload\" as=\"fetch\" href=\"{address}{LISTING}\" crossorigin>");
    for (kind, link) in [
        ("modulepreload", "rel=\"modulepreload\""),
        ("fetch", "rel=\"preload\" as=\"fetch\""),
    ] {
        let names = names.get(kind).and_then(Value::as_array);
        for name in names.into_iter().flatten().filter_map(Value::as_str) {
            // Writing to a string can't fail.
            let _ = write!(
                lines,
                "<link {link} href=\"{address}/v1/{name}\" crossorigin>"
            );
        }
    }
    Ok(lines)
}
