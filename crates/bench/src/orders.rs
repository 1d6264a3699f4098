//! Signed orders.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use fs_err as fs;
use jsonwebtoken::{Algorithm, EncodingKey, Header, get_current_timestamp};
use serde_json::json;

/// The key that the orders are signed with.
pub(crate) const ORDER_KEY: &str = "bench-order-key-of-more-than-32-characters";

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
    pub(crate) fn sign(&self, invoice: &str) -> Result<String> {
        let claims = json!({
            "token": "usdtt", "quantity": "25.00", "invoiceNumber": invoice, "exp": self.exp,
        });
        Ok(jsonwebtoken::encode(&self.header, &claims, &self.key)?)
    }

    /// The body of a request that creates a payment of such an order.
    pub(crate) fn create(&self, invoice: &str) -> Result<String> {
        let body = json!({ "order": self.sign(invoice)?, "paymentToken": "btc" });
        Ok(body.to_string())
    }

    /// Writes bodies of different orders, one per line, into a file for each thread of the load generator.
    pub(crate) fn write(&self, folder: &Path, threads: u32, count: u32) -> Result<()> {
        for thread in 1..=threads {
            let mut lines = String::new();
            for number in 0..count {
                let body = self.create(&format!("INV-{thread}-{number}"))?;
                // Writing to a string can't fail.
                let _ = writeln!(lines, "{body}");
            }
            fs::write(folder.join(format!("{thread}.txt")), lines)?;
        }
        Ok(())
    }
}
