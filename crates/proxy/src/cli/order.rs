//! `order sign`, which signs an order with the operator's key.

use std::error::Error as StdError;
use std::io::{IsTerminal as _, stdout};
use std::time::Duration;

use clap::Args;
use qrcodegen::{QrCode, QrCodeEcc};
use tender_merchant_cli::note;
use tender_protocol::request::OrderClaims;
use tender_protocol::{Amount, TokenCode};

use crate::checkout::signing::{UnsignedOrder, valid_for};
use crate::config::{Config, Secret};
use crate::error::Error;
use crate::order::MAX_LINK;

/// The width of the area around a QR code, in modules.
const QUIET_ZONE: i32 = 4;

#[derive(Args)]
pub(super) struct Sign {
    /// Currency of the price, such as usdtt
    #[arg(long, value_name = "CODE")]
    token: String,
    /// The price, such as 48.50
    #[arg(long, value_name = "NUMBER")]
    quantity: Amount,
    /// Your identifier of the order; use a new one for each order and buyer
    #[arg(long, value_name = "TEXT")]
    invoice_number: String,
    /// How long the order is valid: 7d, 12h, 30m
    #[arg(long, value_name = "TIME", value_parser = valid_for)]
    expires: Duration,
    /// E-mail address of the buyer
    #[arg(long, value_name = "TEXT")]
    purchase_email: Option<String>,
    /// Name of the buyer
    #[arg(long, value_name = "TEXT")]
    purchase_name: Option<String>,
    /// Passed to the payment service; with 0, the payer chooses the amount
    #[arg(long, value_name = "TEXT")]
    item_number: Option<String>,
    /// Page of the shop to which the buyer can go back
    #[arg(long, value_name = "URL")]
    return_url: Option<String>,
    /// Name of the secret in `order_key`; the first one by default
    #[arg(long)]
    kid: Option<String>,
}

impl Sign {
    /// Signs the order with the first secret of `order_key`, or with that of the `kid`. Returns it and the address of its
    /// payment page.
    pub(super) fn run(self, config: &Config) -> Result<String, Box<dyn StdError>> {
        let unsigned = UnsignedOrder {
            claims: OrderClaims {
                token: TokenCode::from(self.token),
                quantity: Some(self.quantity),
                invoice_number: self.invoice_number,
                item_number: self.item_number,
                purchase_email: self.purchase_email,
                purchase_name: self.purchase_name,
            },
            return_url: self.return_url,
            valid_for: self.expires,
        };
        let (kid, secret) = key(config, self.kid.as_deref())?;
        let max_days = config.orders.max_days;
        let order = unsigned.sign(kid, secret, max_days).map_err(|error| {
            let reason = match error {
                Error::InvalidRequest(reason) => reason,
                other => other.to_string(),
            };
            format!("the order was not signed: {reason}")
        })?;
        let length = order.len();
        if length > MAX_LINK {
            note(&format!(
                "There is no address to pay at: the order has {length} characters, and an address has room for {MAX_LINK}; \
                 shorten its texts, or give it to a page with the checkout."
            ));
            return Ok(order + "\n");
        }
        Ok(match config.server.payment_page_of(&order) {
            Ok(address) if stdout().is_terminal() => {
                format!("{order}\n{address}\n{}", qr_code(&address))
            }
            Ok(address) => format!("{order}\n{address}\n"),
            Err(reason) => {
                note(&format!("There is no address to pay at: {reason}."));
                order + "\n"
            }
        })
    }
}

fn key<'a>(config: &'a Config, kid: Option<&str>) -> Result<(Option<&'a str>, &'a Secret), String> {
    let keys = config.orders.keys.iter();
    let mut keys = keys.filter_map(|key| Some((key.kid.as_deref(), key.secret.as_ref()?)));
    let found = match kid {
        None => keys.next(),
        Some(kid) => keys.find(|(own, _)| *own == Some(kid)),
    };
    found.ok_or_else(|| {
        let missing = match kid {
            None => "`order_key` has no secret to sign with".to_owned(),
            Some(kid) => format!("no secret in `order_key` has the kid `{kid}`"),
        };
        format!(
            "{missing}; a public key can verify orders but not sign them. Add a secret, which \
             `openssl rand -base64 32` generates"
        )
    })
}

/// The text as a QR code, with two modules in each character. Empty if the text is too long for one.
fn qr_code(text: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else {
        return String::new();
    };
    let modules = || -QUIET_ZONE..code.size() + QUIET_ZONE;
    let line = |y: i32| {
        let character = |x| match (code.get_module(x, y), code.get_module(x, y + 1)) {
            (false, false) => ' ',
            (true, false) => '▀',
            (false, true) => '▄',
            (true, true) => '█',
        };
        // Black on white, because some scanners can't read inverted codes.
        let line: String = modules().map(character).collect();
        format!("\x1b[38;5;16;48;5;231m{line}\x1b[0m\n")
    };
    modules().step_by(2).map(line).collect()
}
