//! `tender-proxy payments` and `tender-proxy notifications`: the command line for the merchant's payments
//! and for the notifications to the shop's backend. It calls a running proxy.
//!
//! Data goes to standard output, completely or not at all; messages go to standard error. The exit
//! code (see `failure`) tells the result.

mod cancel;
mod cancellation;
mod client;
mod failure;
mod list;
mod list_reader;
mod notifications;
mod print;
mod show;
mod table;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use reqwest::Url;

use self::client::Client;
pub use self::failure::Failure;
pub use self::notifications::Notifications;
pub use self::print::{note, write_output};

const MORE_HELP: &str = "\
Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 a payment or notification was not found, 4 the merchant key is missing or \
wrong, 5 the proxy can't be reached. Other users of the machine can see flags: pass the key by file or environment \
variable.";

/// The proxy to call, and the credentials.
#[derive(Args)]
struct Connection {
    /// Address of the proxy
    #[arg(long, value_name = "URL", env = "TENDER_PROXY", global = true, value_parser = address)]
    #[arg(default_value = "http://127.0.0.1:8081")]
    proxy: Url,
    /// Merchant key; prefer the environment variable or a file
    #[arg(
        long,
        value_name = "SECRET",
        env = "TENDER_MERCHANT_KEY",
        global = true
    )]
    #[arg(hide_env_values = true)]
    merchant_key: Option<String>,
    /// File with the merchant key on its first line
    #[arg(
        long,
        value_name = "PATH",
        env = "TENDER_MERCHANT_KEY_FILE",
        global = true
    )]
    merchant_key_file: Option<PathBuf>,
    /// Write JSON with the service's records; characters that could mislead a reader are escaped
    #[arg(long, global = true)]
    json: bool,
}

/// Parses the address of a proxy.
fn address(text: &str) -> Result<Url, &'static str> {
    let url = text.parse().ok();
    let url = url.filter(|url: &Url| matches!(url.scheme(), "http" | "https"));
    url.ok_or("write the proxy's address, such as https://pay.shop.example")
}

/// `tender-proxy payments`.
#[derive(Args)]
#[command(after_help = MORE_HELP)]
pub struct Payments {
    #[command(flatten)]
    connection: Connection,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show payments, newest first
    List(list::Arguments),
    /// Show a payment and what the proxy knows of it
    Show(show::Arguments),
    /// Cancel payments and report the status that the list shows afterwards
    Cancel(cancel::Arguments),
}

impl Payments {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn run(self) -> Result<(), Failure> {
        let json = self.connection.json;
        let client = Client::new(self.connection)?;
        match self.action {
            Action::List(arguments) => list::run(&client, &arguments, json).await,
            Action::Show(arguments) => show::run(&client, &arguments, json).await,
            Action::Cancel(arguments) => cancel::run(&client, &arguments, json).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Payments::augment_args(Command::new("payments")).debug_assert();
        Notifications::augment_args(Command::new("notifications")).debug_assert();
    }
}
