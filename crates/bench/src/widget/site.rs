//! All that a page asks for, on this machine: one nginx for the files of every variant, and behind it the real proxy
//! and the sandbox.
//!
//! The shop has an origin of its own, as it has in the world. Files are compressed with brotli at its best
//! setting, Tender's and all others by the same encoder, and are served over HTTP/1.1.

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

/// Where a listing is had.
const LISTING: &str = "/api/v1/rates/my-tokens";

/// How long the proxy may take to send another listing.
const LIST_LIMIT: Duration = Duration::from_secs(30);

/// Compressed, a listing that the proxy compresses twice is longer than this.
const LONG: usize = 16 * 1024;

/// Where things are.
pub(super) struct Places {
    /// Cargo's binaries.
    pub(super) binaries: PathBuf,
    /// The built widget.
    pub(super) dist: PathBuf,
    /// The built floors and peers.
    pub(super) others: PathBuf,
}

/// The servers; they end with this.
pub(super) struct Site {
    /// The origin of the checkouts: files and answers.
    pub(super) address: String,
    /// The origin of the shop.
    shop: String,
    /// What a shop writes into its head, so that nothing has to wait for the loader.
    pub(super) preload_lines: String,
    /// Adyen's answer, which its documentation has in the page.
    pub(super) payment_methods: String,
    service: String,
    rates: String,
    signer: Signer,
    folder: tempfile::TempDir,
    _servers: Vec<Server>,
}

impl Site {
    pub(super) fn open(places: &Places) -> Result<Self, Error> {
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
                Command::new(places.binaries.join("tender-sandbox"))
                    .args(["--listen", &payments, "--rates-listen", &rates])
                    .env("RUST_LOG", "warn"),
                at,
                &format!("http://{rates}{LISTING}"),
            )?,
            Server::start(
                "tender-proxy",
                Command::new(places.binaries.join("tender-proxy"))
                    .args(["--listen", &proxy, "--order-key", ORDER_KEY])
                    .args(["--base-url", &format!("http://{payments}")])
                    .args(["--rates-base-url", &format!("http://{rates}")])
                    .args(["--allow-origin", &shop_origin])
                    .args(["--upstream-header", "Authorization: Bearer credentials"])
                    // What is kept is sent compressed. No load takes as long, and neither does a wait for another listing.
                    .args(["--token-cache-seconds", "5"])
                    // All pages come from one address.
                    .args(["--rate-limit-tokens", "0", "--rate-limit-create", "0"])
                    .args([
                        "--database-url",
                        &format!("sqlite:{}", at.join("ledger.db").display()),
                    ])
                    .args(["--log-level", "warn"]),
                at,
                &format!("http://{proxy}/healthz"),
            )?,
            Server::start(
                "nginx",
                &mut nginx::command(at, places, &address, &shop, &proxy)?,
                at,
                &format!("http://{address}/healthz"),
            )?,
        ];
        let answer = places.others.join("answers/payment-methods.json");
        let address = format!("http://{address}");
        let mut site = Self {
            preload_lines: preload_lines(&places.dist, &address)?,
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

    /// An empty page of the shop.
    pub(super) fn empty_page(&self) -> String {
        self.page("empty")
    }

    /// Puts up the shop's page with a variant, for an order of this invoice number.
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

    /// Has the service list so many tokens: those that it always lists, and others whose codes it does
    /// not accept. Returns when the proxy sends them.
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
            return Err(cannot("what is no listing".to_owned()));
        };
        let sent = minreq::put(&url).with_body(records.to_string()).send();
        sent.map_err(|error| cannot(error.to_string()))?;
        let deadline = Instant::now() + LIST_LIMIT;
        while listed(&self.address).as_ref() != Some(&records) {
            if Instant::now() > deadline {
                return Err(cannot("a listing that the proxy never sent".to_owned()));
            }
            thread::sleep(Duration::from_millis(50));
        }
        // A listing stays for days: what counts is the one that the proxy has compressed as well as it can. It begins with
        // that once the listing has come again.
        let length = || {
            let length = self.listing_length();
            length.map_err(|error| cannot(error.to_string()))
        };
        let first = length()?;
        while first > LONG && length()? >= first {
            if Instant::now() > deadline {
                return Err(cannot(
                    "a listing that the proxy never compressed again".to_owned(),
                ));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Bytes of the listing, as a browser gets it.
    fn listing_length(&self) -> Result<usize, minreq::Error> {
        let listing = minreq::get(format!("{}{LISTING}", self.address));
        let sent = listing.with_header("Accept-Encoding", "br").send()?;
        Ok(sent.as_bytes().len())
    }
}

/// The listing at an address.
fn listed(address: &str) -> Option<Value> {
    let answer = minreq::get(format!("{address}{LISTING}")).send();
    serde_json::from_slice(answer.ok()?.as_bytes()).ok()
}

/// The lines that docs/embedding.md shows, made as a shop's backend makes them.
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
