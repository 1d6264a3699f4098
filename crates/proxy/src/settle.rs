//! The command `tender-proxy ledger settle`, which removes a late duplicate from the ledger.

use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches as _, Subcommand};
use tender_proxy::config::{Config, ConfigErrors};
use tender_proxy::settle_late_duplicate;

use crate::{failed, invalid};

pub(crate) const NAME: &str = "ledger";

#[derive(Subcommand)]
enum Command {
    /// Remove a late duplicate from the ledger, after you have refunded or accepted it; the payment itself
    /// is not changed
    Settle {
        /// The payment, as `tender-proxy payments list` prints it
        #[arg(value_name = "TRANSACTION_ID")]
        id: String,
    },
}

pub(crate) fn command() -> clap::Command {
    let command = clap::Command::new(NAME).about("Manage the database");
    Command::augment_subcommands(command).subcommand_required(true)
}

/// Runs the command. `configure` reads the configuration.
#[tokio::main]
pub(crate) async fn run(
    matches: &ArgMatches,
    configure: impl FnOnce() -> Result<Config, ConfigErrors>,
) -> ExitCode {
    match Command::from_arg_matches(matches) {
        Ok(Command::Settle { id }) => match configure() {
            Ok(config) => settle(&config, &id).await,
            Err(errors) => invalid(&errors),
        },
        Err(error) => error.exit(),
    }
}

async fn settle(config: &Config, id: &str) -> ExitCode {
    match settle_late_duplicate(config, id).await {
        Ok(None) => {
            eprintln!(
                "there is no late duplicate with this transactionId; `tender-proxy payments list` \
                 prints those that are unresolved"
            );
            ExitCode::FAILURE
        }
        Ok(Some(settled)) => {
            println!("Settled: {settled}.");
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error),
    }
}
