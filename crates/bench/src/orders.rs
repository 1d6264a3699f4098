//! Signed orders and the requests of the proxy's load. Each request creates its own payment.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use jsonwebtoken::{Algorithm, EncodingKey, Header, get_current_timestamp};
use serde_json::json;

use crate::error::Error;

/// The key that the orders are signed with.
pub(crate) const ORDER_KEY: &str = "bench-order-key-of-more-than-32-characters";

/// Number of requests with a signed order for each thread of the load generator.
const SIGNED_PER_THREAD: u32 = 120_000;

/// Number of plain requests for each thread. They are forwarded without a check, so a run sends more of them.
const PLAIN_PER_THREAD: u32 = 500_000;

/// The file of the request that checks a contender before the measurement.
const PROBE: u32 = 0;

/// Directories with one file per thread of the load generator and one request body per line.
pub(crate) struct Orders {
    /// Requests with signed orders, for proxies that verify them.
    pub(crate) signed: PathBuf,
    /// Requests with the service's own fields, for proxies that only forward.
    pub(crate) plain: PathBuf,
}

impl Orders {
    /// Writes the files for this many threads.
    pub(crate) fn write(folder: &Path, threads: u32) -> Result<Self, Error> {
        let orders = Self {
            signed: folder.join("signed"),
            plain: folder.join("plain"),
        };
        let shop = Signer::new();
        for thread in PROBE..=threads {
            let probe = thread == PROBE;
            let mut signed = String::new();
            for number in 0..if probe { 1 } else { SIGNED_PER_THREAD } {
                let order = shop.sign(&format!("INV-{thread}-{number}"))?;
                let body = json!({ "order": order, "paymentToken": "btc" });
                // Writing to a string can't fail.
                let _ = writeln!(signed, "{body}");
            }
            let mut plain = String::new();
            for number in 0..if probe { 1 } else { PLAIN_PER_THREAD } {
                let fields = json!({
                    "token": "usdtt", "quantity": 25, "paymentToken": "btc",
                    "invoiceNumber": format!("INV-{thread}-{number}"),
                });
                let _ = writeln!(plain, "{fields}");
            }
            write(&orders.signed, thread, &signed)?;
            write(&orders.plain, thread, &plain)?;
        }
        Ok(orders)
    }
}

/// Signs orders like a shop's backend.
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

    /// Signs an order of 25 USDT.
    pub(crate) fn sign(&self, invoice: &str) -> Result<String, Error> {
        let claims = json!({
            "token": "usdtt", "quantity": "25.00", "invoiceNumber": invoice, "exp": self.exp,
        });
        Ok(jsonwebtoken::encode(&self.header, &claims, &self.key)?)
    }
}

/// Reads a request that is not part of the load.
pub(crate) fn probe(folder: &Path) -> Result<String, Error> {
    Ok(fs::read_to_string(folder.join(format!("{PROBE}.txt")))?)
}

fn write(folder: &Path, thread: u32, lines: &str) -> Result<(), Error> {
    fs::create_dir_all(folder)?;
    Ok(fs::write(folder.join(format!("{thread}.txt")), lines)?)
}
