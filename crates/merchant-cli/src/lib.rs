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
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use reqwest::Url;

use self::client::Client;
use self::failure::Failure;
pub use self::print::write_output;

const PAYMENTS: &str = "payments";

const NOTIFICATIONS: &str = "notifications";

const MORE_HELP: &str = "\
Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 a payment or notification was not found, 4 the merchant key is missing or \
wrong, 5 the proxy can't be reached. Other users of the machine can see flags: pass the key by file or environment \
variable.";

#[derive(Args)]
struct Arguments<A: Subcommand> {
    #[command(flatten)]
    connection: Connection,
    #[command(subcommand)]
    action: A,
}

/// What a subcommand does.
trait Run: Subcommand {
    async fn run(&self, client: &Client, json: bool) -> Result<(), Failure>;
}

/// The proxy to call, and the credentials.
#[derive(Args)]
struct Connection {
    /// Address of the proxy
    #[arg(long, value_name = "URL", env = "TENDER_PROXY", global = true)]
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

#[derive(Subcommand)]
enum Action {
    /// Show payments, newest first
    List(list::Arguments),
    /// Show a payment and what the proxy knows of it
    Show(show::Arguments),
    /// Cancel payments and report the status that the list shows afterwards
    Cancel(cancel::Arguments),
}

/// The subcommands for the program's command line.
#[must_use]
pub fn commands() -> [Command; 2] {
    [
        command::<Action>(PAYMENTS, "See and cancel payments through a running proxy"),
        command::<notifications::Action>(
            NOTIFICATIONS,
            "See the notifications to the shop's backend through a running proxy, and send them again",
        ),
    ]
}

fn command<A: Run>(name: &'static str, about: &'static str) -> Command {
    // The comments of the flattened arguments would replace an earlier `about`.
    Arguments::<A>::augment_args(Command::new(name))
        .about(about)
        .after_help(MORE_HELP)
        .subcommand_required(true)
}

/// Runs one of the subcommands and returns the exit code of the program; `None` if the arguments have
/// none of them.
#[must_use]
pub fn run(matches: &ArgMatches) -> Option<ExitCode> {
    let done = match matches.subcommand()? {
        (PAYMENTS, matches) => start::<Action>(matches),
        (NOTIFICATIONS, matches) => start::<notifications::Action>(matches),
        _ => return None,
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print::note(&failure.to_string());
            failure.exit_code()
        }
    })
}

fn start<A: Run>(matches: &ArgMatches) -> Result<(), Failure> {
    let arguments = Arguments::<A>::from_arg_matches(matches);
    let Arguments { connection, action } =
        arguments.map_err(|error| Failure::Usage(error.to_string()))?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Failed(error.to_string()))?;
    runtime.block_on(async {
        let json = connection.json;
        let client = Client::new(connection)?;
        action.run(&client, json).await
    })
}

impl Run for Action {
    async fn run(&self, client: &Client, json: bool) -> Result<(), Failure> {
        match self {
            Self::List(arguments) => list::run(client, arguments, json).await,
            Self::Show(arguments) => show::run(client, arguments, json).await,
            Self::Cancel(arguments) => cancel::run(client, arguments, json).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        for command in commands() {
            command.debug_assert();
        }
    }
}
