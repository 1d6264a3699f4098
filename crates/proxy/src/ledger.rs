//! The commands `tender-proxy ledger copy`, which copies the database of a stopped proxy, and `tender-proxy
//! ledger settle`, which removes a late duplicate from the ledger.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use tender_proxy::config::{Config, ConfigErrors, Database, LoadedConfig};
use tender_proxy::{CopyError, StartError, copy_database, settle_late_duplicate};

pub(crate) const NAME: &str = "ledger";

const COPY: &str = "copy";

const SETTLE: &str = "settle";

/// The argument of `settle`.
const ID: &str = "TRANSACTION_ID";

pub(crate) fn command() -> Command {
    let url = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .env(format!("TENDER_COPY_{}", name.to_uppercase()))
            .hide_env_values(true)
            .value_name("URL")
            .required(true)
            .value_parser(str::parse::<Database>)
    };
    Command::new(NAME)
        .about("Manage the database")
        .subcommand_required(true)
        .subcommand(
            Command::new(COPY)
                .about("Copy the database of a stopped proxy to a new one, such as SQLite to PostgreSQL")
                .arg(url("from").help("The database to copy, as in `database_url`"))
                .arg(url("to").help("An empty database, as in `database_url`")),
        )
        .subcommand(
            Command::new(SETTLE)
                .about(
                    "Remove a late duplicate from the ledger, after you have refunded or accepted it; \
                     the payment itself is not changed",
                )
                .arg(
                    Arg::new(ID)
                        .required(true)
                        .help("The payment, as `tender-proxy payments list` prints it"),
                ),
        )
}

/// Runs the command. `configure` reads the configuration, which only `settle` needs.
pub(crate) fn run(
    matches: &ArgMatches,
    configure: impl FnOnce() -> Result<LoadedConfig, ConfigErrors>,
) -> ExitCode {
    let Some(matches) = matches.subcommand_matches(SETTLE) else {
        return run_copy(matches);
    };
    let Some(id) = matches.get_one::<String>(ID) else {
        return ExitCode::from(2);
    };
    let config = match configure() {
        Ok(loaded) => loaded.config,
        Err(errors) => {
            eprintln!("{errors}");
            return ExitCode::from(2);
        }
    };
    match settle(&config, id) {
        Ok(Some(settled)) => {
            println!("Settled: {settled}.");
            ExitCode::SUCCESS
        }
        Ok(None) => {
            eprintln!(
                "there is no late duplicate with this transactionId; `tender-proxy payments list` \
                 prints those that are unresolved"
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run_copy(matches: &ArgMatches) -> ExitCode {
    let matches = matches.subcommand_matches(COPY);
    let url = |name| matches.and_then(|matches| matches.get_one::<Database>(name));
    let (Some(from), Some(to)) = (url("from"), url("to")) else {
        return ExitCode::from(2);
    };
    match copy(from, to) {
        Ok(copied) => {
            for (table, rows) in copied {
                println!("{table}: {rows}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn copy(from: &Database, to: &Database) -> Result<Vec<(&'static str, usize)>, CopyError> {
    copy_database(from, to).await
}

#[tokio::main]
async fn settle(config: &Config, id: &str) -> Result<Option<String>, StartError> {
    settle_late_duplicate(config, id).await
}
