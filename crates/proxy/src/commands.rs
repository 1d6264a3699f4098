//! The program's commands: `health`, for containers, which have no other program that could ask; `order sign`, which signs an
//! order with the operator's key; and `ledger settle`, which removes a late duplicate from the ledger.

use std::error::Error;
use std::io::{IsTerminal as _, stdout};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use qrcodegen::{QrCode, QrCodeEcc};
use reqwest::Url;
use tender_protocol::request::OrderClaims;
use tender_protocol::{Amount, TokenCode};
use tender_proxy::config::Config;
use tender_proxy::{UnsignedOrder, settle_late_duplicate, sign_order, valid_for};

use crate::{failed, print};

const TIMEOUT: Duration = Duration::from_secs(5);

/// The width of the area around a QR code, in modules.
const QUIET_ZONE: i32 = 4;

#[derive(Args)]
pub(crate) struct Health {
    /// The address to ask, at `listen` or `metrics_listen`; `/readyz` tells whether the proxy can serve buyers
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8081/healthz")]
    url: Url,
}

impl Health {
    pub(crate) async fn run(self) -> ExitCode {
        let Err(error) = ask(self.url).await else {
            return ExitCode::SUCCESS;
        };
        let cause = error.source().map(|cause| format!(": {cause}"));
        eprintln!("{error}{}", cause.unwrap_or_default());
        ExitCode::FAILURE
    }
}

async fn ask(url: Url) -> reqwest::Result<()> {
    let client = reqwest::Client::builder().timeout(TIMEOUT).no_proxy();
    let answer = client.build()?.get(url).send().await?;
    answer.error_for_status().map(drop)
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Remove a late duplicate from the ledger, after you have refunded or accepted it; the payment itself
    /// is not changed
    Settle {
        /// The payment, as `tender-proxy payments list` prints it
        #[arg(value_name = "TRANSACTION_ID")]
        id: String,
    },
}

pub(crate) async fn settle(config: &Config, id: &str) -> ExitCode {
    match settle_late_duplicate(config, id).await {
        Ok(None) => {
            eprintln!(
                "there is no late duplicate with this transactionId; `tender-proxy payments list` \
                 prints those that are unresolved"
            );
            ExitCode::FAILURE
        }
        Ok(Some(settled)) => print(&format!("Settled: {settled}.\n")),
        Err(error) => failed(&error),
    }
}

#[derive(Subcommand)]
pub(crate) enum OrderCommand {
    /// Sign an order, and print it and the address of its payment page
    Sign(Sign),
}

#[derive(Args)]
pub(crate) struct Sign {
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

pub(crate) fn sign(config: &Config, order: Sign) -> ExitCode {
    let unsigned = UnsignedOrder {
        claims: OrderClaims {
            token: TokenCode::from(order.token),
            quantity: Some(order.quantity),
            invoice_number: order.invoice_number,
            item_number: order.item_number,
            purchase_email: order.purchase_email,
            purchase_name: order.purchase_name,
        },
        return_url: order.return_url,
        valid_for: order.expires,
    };
    let signed = match sign_order(config, order.kid.as_deref(), &unsigned) {
        Ok(signed) => signed,
        Err(error) => return failed(&error),
    };
    let order = signed.order;
    match signed.address {
        Ok(address) if stdout().is_terminal() => {
            print(&format!("{order}\n{address}\n{}", qr_code(&address)))
        }
        Ok(address) => print(&format!("{order}\n{address}\n")),
        Err(reason) => {
            eprintln!("There is no address to pay at: {reason}.");
            print(&(order + "\n"))
        }
    }
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
