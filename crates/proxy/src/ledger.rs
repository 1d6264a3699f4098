//! The command `tender-proxy ledger copy`, which copies the database of a stopped proxy.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use tender_proxy::config::Database;
use tender_proxy::{CopyError, copy_database};

pub(crate) const NAME: &str = "ledger";

const COPY: &str = "copy";

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
}

pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
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
