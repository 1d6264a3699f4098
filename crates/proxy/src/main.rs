//! The program `tender-proxy`.

mod commands;
mod log;
mod signals;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, FromArgMatches as _, Subcommand, value_parser};
use tender_proxy::config::{Config, ConfigError, ConfigErrors, Settings};
use tender_proxy::{Running, StartError};
use tokio::runtime::Runtime;

use self::commands::{Health, LedgerCommand, OrderCommand, settle, sign};
use self::signals::{Signal, Signals};

/// Requests allocate many small objects and free them on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MORE_HELP: &str = "\
Every setting is a flag, an environment variable and a name in the file: --base-url, \
TENDER_BASE_URL and base_url. Flags take precedence over environment variables, which take \
precedence over the file. A repeatable setting is a repeated flag, a list in the file, and one \
value per line in an environment variable. Other users of the machine can see flags: pass secrets \
by file or environment variable.";

// Those beside the subcommands of `tender_merchant_cli`. A doc comment would take the place of the program's description.
#[derive(Subcommand)]
enum Command {
    /// List the statuses of the stored payments, with an example and what each one means
    Statuses,
    /// Manage the database
    #[command(subcommand, arg_required_else_help = false)]
    Ledger(LedgerCommand),
    /// Sign orders
    #[command(subcommand, arg_required_else_help = false)]
    Order(OrderCommand),
    /// Print the OpenAPI document of the proxy's routes
    Openapi,
    /// Ask a running proxy whether it responds; the exit code is 0 if it does
    Health(Health),
}

fn main() -> ExitCode {
    let matches = command().get_matches();
    if let Some(exit) = tender_merchant_cli::run(&matches) {
        return exit;
    }
    let subcommand = matches.subcommand();
    let subcommand = subcommand.map(|_| Command::from_arg_matches(&matches));
    let done = match subcommand.transpose() {
        Err(error) => error.exit(),
        Ok(None | Some(Command::Statuses)) if matches.get_flag("check") => check(&matches),
        Ok(None) => return serve(matches),
        Ok(Some(command)) => run_command(command, &matches),
    };
    done.unwrap_or_else(|errors| invalid(&errors))
}

#[tokio::main]
async fn run_command(command: Command, matches: &ArgMatches) -> Result<ExitCode, ConfigErrors> {
    Ok(match command {
        Command::Statuses => print_statuses(&configure(matches)?).await,
        Command::Ledger(LedgerCommand::Settle { id }) => settle(&configure(matches)?, &id).await,
        Command::Order(OrderCommand::Sign(order)) => sign(&configure(matches)?, order),
        Command::Openapi => print(&(tender_proxy::openapi_document() + "\n")),
        Command::Health(command) => command.run().await,
    })
}

fn check(matches: &ArgMatches) -> Result<ExitCode, ConfigErrors> {
    let config = configure(matches)?;
    let mut lines = vec!["The configuration is valid.".to_owned()];
    let warnings = tender_proxy::warnings(&config);
    for warning in warnings.into_iter().chain(without_effect(matches)) {
        lines.push(format!("Warning: {warning}."));
    }
    Ok(print(&(lines.join("\n") + "\n")))
}

/// Writes to standard output, unless its reader has closed it.
fn print(text: &str) -> ExitCode {
    match tender_merchant_cli::write_output(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn invalid(errors: &ConfigErrors) -> ExitCode {
    eprintln!("{errors}");
    ExitCode::from(2)
}

fn failed(error: &impl std::fmt::Display) -> ExitCode {
    eprintln!("{error}");
    ExitCode::FAILURE
}

/// Runs the proxy until a signal stops it.
fn serve(matches: ArgMatches) -> ExitCode {
    let started = Runtime::new().and_then(|runtime| {
        // Must come first, so that no signal ends the process in another way.
        let signals = runtime.block_on(async { Signals::new() })?;
        Ok((runtime, signals))
    });
    let (runtime, signals) = match started {
        Ok(started) => started,
        Err(error) => {
            eprintln!("can't start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = serve_on(&runtime, signals, matches);
    // A start that a signal has ended may still wait for a file, a name server or SQLite's lock.
    runtime.shutdown_background();
    code
}

fn serve_on(runtime: &Runtime, mut signals: Signals, matches: ArgMatches) -> ExitCode {
    let matches = Arc::new(matches);
    let read = {
        let matches = Arc::clone(&matches);
        runtime.spawn_blocking(move || configure(&matches))
    };
    let config = match runtime.block_on(signals.unless_stopped(read)) {
        None => return ExitCode::SUCCESS,
        Some(Ok(Ok(config))) => config,
        Some(Ok(Err(errors))) => return invalid(&errors),
        Some(Err(error)) => {
            eprintln!("can't read the configuration: {error}");
            return ExitCode::FAILURE;
        }
    };
    log::start(&config);
    for warning in without_effect(&matches) {
        tracing::warn!("{warning}");
    }
    match runtime.block_on(run(config, &matches, signals)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> clap::Command {
    let command = clap::Command::new("tender-proxy")
        .about("The merchant proxy of Tender: keeps credentials and prices out of the page")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(MORE_HELP)
        .arg(
            Arg::new("config")
                .long("config")
                .env("TENDER_CONFIG")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .help("TOML file with settings"),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .help("Check the configuration and exit"),
        )
        .args(Settings::flags())
        .subcommands(tender_merchant_cli::commands());
    Command::augment_subcommands(command)
}

async fn print_statuses(config: &Config) -> ExitCode {
    match tender_proxy::seen_statuses(config).await {
        Ok(table) => print(&table),
        Err(error) => failed(&error),
    }
}

fn configure(matches: &ArgMatches) -> Result<Config, ConfigErrors> {
    settings(matches)?.read()
}

fn settings(matches: &ArgMatches) -> Result<Settings, ConfigError> {
    let settings = Settings::from_flags(matches);
    match matches.get_one::<PathBuf>("config") {
        Some(path) => Ok(settings.or(Settings::from_file(path)?)),
        None => Ok(settings),
    }
}

/// A warning for each setting of the last version.
fn without_effect(matches: &ArgMatches) -> Vec<String> {
    let removed = settings(matches).map(|settings| settings.removed());
    removed.unwrap_or_default()
}

async fn run(config: Config, matches: &ArgMatches, mut signals: Signals) -> Result<(), StartError> {
    let _claim = tender_proxy::claim_database(&config)?;
    let starting = Box::pin(tender_proxy::start(config));
    let Some(proxy) = signals.unless_stopped(starting).await else {
        tracing::info!("stopped before the start was complete");
        return Ok(());
    };
    let proxy = proxy?;
    while let Signal::Reload = signals.next().await {
        reload(&proxy, matches);
    }
    tracing::info!("stopping");
    if !proxy.stop().await {
        tracing::warn!("stopped before everything was finished");
    }
    Ok(())
}

/// Reads the configuration again and applies what a running proxy can replace. If it has errors,
/// nothing changes.
fn reload(proxy: &Running, matches: &ArgMatches) {
    match configure(matches) {
        Ok(config) => {
            for warning in config.contradictions() {
                tracing::warn!("{warning}");
            }
            proxy.reload(&config);
            tracing::info!(
                "reloaded the keys, the credentials and the meaning of statuses; any other setting needs \
                 a restart"
            );
        }
        Err(ConfigErrors(errors)) => {
            for error in errors {
                tracing::error!("{error}");
            }
            tracing::error!("nothing was reloaded; the earlier settings stay in use");
        }
    }
}
