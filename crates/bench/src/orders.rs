//! Signed orders, and the requests that the proxy's load is made of: each creates a payment of its own.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use jsonwebtoken::{Algorithm, EncodingKey, Header, get_current_timestamp};
use serde_json::json;

use crate::error::Error;

/// What the shop of the measurement signs with.
pub(crate) const ORDER_KEY: &str = "bench-order-key-of-more-than-32-characters";

/// How many requests each thread of the load generator has to send.
const EACH: u32 = 120_000;

/// The file of a request that looks whether all is well.
const PROBE: u32 = 0;

/// Folders with one file for each thread of the load generator, a request body a line.
pub(crate) struct Orders {
    /// With signed orders, as Tender's proxy and the peer that verifies them take them.
    pub(crate) signed: PathBuf,
    /// In the service's own fields, for what only forwards.
    pub(crate) plain: PathBuf,
}

impl Orders {
    /// Writes them into `folder`, for so many threads.
    pub(crate) fn write(folder: &Path, threads: u32) -> Result<Self, Error> {
        let orders = Self {
            signed: folder.join("signed"),
            plain: folder.join("plain"),
        };
        let shop = Signer::new();
        for thread in PROBE..=threads {
            let (mut signed, mut plain) = (String::new(), String::new());
            let count = if thread == PROBE { 1 } else { EACH };
            for number in 0..count {
                let invoice = format!("INV-{thread}-{number}");
                let order = shop.sign(&invoice)?;
                let body = json!({ "order": order, "paymentToken": "btc" });
                let fields = json!({
                    "token": "usdtt", "quantity": 25, "paymentToken": "btc",
                    "invoiceNumber": invoice,
                });
                // Writing to a string can't fail.
                let _ = writeln!(signed, "{body}");
                let _ = writeln!(plain, "{fields}");
            }
            write(&orders.signed, thread, &signed)?;
            write(&orders.plain, thread, &plain)?;
        }
        Ok(orders)
    }
}

/// Signs orders as a shop's backend does.
pub(crate) struct Signer {
    key: EncodingKey,
    header: Header,
    exp: u64,
}

impl Signer {
    pub(crate) fn new() -> Self {
        Self {
            key: EncodingKey::from_secret(ORDER_KEY.as_bytes()),
            header: Header::new(Algorithm::HS256),
            exp: get_current_timestamp() + 24 * 60 * 60,
        }
    }

    /// An order of 25 USDT.
    pub(crate) fn sign(&self, invoice: &str) -> Result<String, Error> {
        let claims = json!({
            "token": "usdtt", "quantity": "25.00", "invoiceNumber": invoice, "exp": self.exp,
        });
        Ok(jsonwebtoken::encode(&self.header, &claims, &self.key)?)
    }
}

/// A request that is not part of the load.
pub(crate) fn probe(folder: &Path) -> Result<String, Error> {
    let path = folder.join(format!("{PROBE}.txt"));
    fs::read_to_string(&path).map_err(|source| Error::File { path, source })
}

fn write(folder: &Path, thread: u32, lines: &str) -> Result<(), Error> {
    let path = folder.join(format!("{thread}.txt"));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, lines))
        .map_err(|source| Error::File { path, source })
}
