//! The command line of the program.

mod database;
mod log;
mod order;
mod signals;
mod summary;
mod test_event;

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::time::Duration;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use reqwest::Url;
use tender_merchant_cli::{Failure, Notifications, Payments, note, write_output};
use tender_protocol::client::failure::causes;
use tokio::runtime::Runtime;

use self::database::read_statuses;
use self::order::Sign;
use self::signals::Signals;
use crate::config::{Config, ConfigErrors, Settings, flags};
use crate::http::routes::openapi_document;
use crate::server::{Running, StartError, claim_database, start, warnings};

const MORE_HELP: &str = "\
Every setting is a flag, an environment variable and a name in the file: --base-url, \
TENDER_BASE_URL and base_url. Flags take precedence over environment variables, which take \
precedence over the file. A repeatable setting is a repeated flag, a list in the file, and one \
value per line in an environment variable. Other users of the machine can see flags: pass secrets \
by file or environment variable.";

/// From this length on, a text may be a secret.
const SECRET: usize = 20;

const HEALTH_TIMEOUT: Duration = Duration::from_secs(5);

/// The merchant proxy of Tender: keeps credentials and prices out of the page
// Its settings are added from their declarations.
#[derive(Parser)]
#[command(name = "tender-proxy", version, after_help = MORE_HELP)]
struct Program {
    /// TOML file with settings
    // Also after the name of a command.
    #[arg(long, env = "TENDER_CONFIG", value_name = "PATH", global = true)]
    config: Option<PathBuf>,
    /// Check the configuration and exit
    #[arg(long)]
    check: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

// A doc comment would take the place of the program's description.
#[derive(Subcommand)]
enum Command {
    /// See and cancel payments through a running proxy
    Payments(Payments),
    /// See the notifications to the shop's backend through a running proxy, and send them again
    Notifications(Notifications),
    /// List the statuses of the stored payments, with an example and what each one means
    Statuses,
    /// Resolve what the proxy can't
    #[command(subcommand, arg_required_else_help = false)]
    Ledger(LedgerCommand),
    /// Maintain the database
    #[command(subcommand, arg_required_else_help = false)]
    Database(DatabaseCommand),
    /// Sign orders
    #[command(subcommand, arg_required_else_help = false)]
    Order(OrderCommand),
    /// Print the OpenAPI document of the proxy's routes
    Openapi,
    /// Ask a running proxy whether it responds; the exit code is 0 if it does
    // For containers, which have no other program that could ask.
    Health {
        /// The address to ask, at `listen` or `metrics_listen`; `/readyz` tells whether the proxy can serve buyers
        #[arg(value_name = "URL", default_value = "http://127.0.0.1:8081/healthz", value_parser = http_url)]
        url: Url,
    },
}

#[derive(Subcommand)]
enum LedgerCommand {
    /// Remove a late duplicate from the ledger, after you have refunded or accepted it; the payment itself
    /// is not changed
    Settle {
        /// The payment, as `tender-proxy payments list` prints it
        #[arg(value_name = "TRANSACTION_ID")]
        id: String,
    },
}

#[derive(Subcommand)]
enum DatabaseCommand {
    /// Read in the payment service's list what a database lacks that was restored from a backup; stop the proxy first, and start
    /// it afterwards
    Restored,
}

#[derive(Subcommand)]
enum OrderCommand {
    /// Sign an order, and print it and the address of its payment page
    Sign(Sign),
}

/// The exit code, or a message for standard error.
type Done = Result<ExitCode, Box<dyn Error>>;

/// Runs the program `tender-proxy`.
pub fn main() -> ExitCode {
    let matches = Program::command().args(flags()).try_get_matches();
    let matches = matches.unwrap_or_else(|error| refuse(&error));
    let program = Program::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let done = match program.command {
        None | Some(Command::Statuses) if program.check => check(&matches),
        None => serve(matches),
        Some(command) => run_command(command, &matches),
    };
    done.unwrap_or_else(|error| {
        note(&causes(&*error));
        ExitCode::from(match error.downcast_ref::<Failure>() {
            Some(failure) => failure.exit_code(),
            // As for invalid flags.
            None if error.is::<ConfigErrors>() => 2,
            None => 1,
        })
    })
}

/// Prints an error of the command line, and exits. A long text that is no flag may be a secret, which is not shown.
fn refuse(error: &clap::Error) -> ! {
    let unknown = error.get(ContextKind::InvalidSubcommand);
    match unknown.or_else(|| error.get(ContextKind::InvalidArg)) {
        Some(ContextValue::String(text)) if text.len() >= SECRET && !text.starts_with("--") => {
            note(
                "a text on the command line belongs to no flag; it is not shown, because it may be a secret: write --FLAG=VALUE",
            );
            process::exit(2)
        }
        _ => error.exit(),
    }
}

#[tokio::main]
async fn run_command(command: Command, matches: &ArgMatches) -> Done {
    match command {
        Command::Payments(command) => command.run().await?,
        Command::Notifications(command) if command.is_test() => {
            return test_event::send(&configure(matches)?, command.as_json()).await;
        }
        Command::Notifications(command) => command.run().await?,
        Command::Statuses => {
            let config = configure(matches)?;
            let seen = read_statuses(&config).await?;
            write_output(&seen.table())?;
            for warning in seen.unmatched(&config.orders) {
                note(&format!("Warning: {warning}."));
            }
        }
        Command::Ledger(LedgerCommand::Settle { id }) => {
            write_output(&database::settle(&configure(matches)?, &id).await?)?;
        }
        Command::Database(DatabaseCommand::Restored) => {
            write_output(&database::restored(&configure(matches)?).await?)?;
        }
        Command::Order(OrderCommand::Sign(order)) => {
            write_output(&order.run(&configure(matches)?)?)?;
        }
        Command::Openapi => write_output(&(openapi_document() + "\n"))?,
        Command::Health { url } => ask(url).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn check(matches: &ArgMatches) -> Done {
    let config = configure(matches)?;
    let warnings = warnings(&config).into_iter();
    let warnings = warnings.map(|warning| format!("Warning: {warning}.\n"));
    let warnings: String = warnings.collect();
    let summary = summary::of(&config);
    write_output(&format!("The configuration is valid.\n{warnings}{summary}"))?;
    Ok(ExitCode::SUCCESS)
}

fn http_url(text: &str) -> Result<Url, &'static str> {
    let url = text.parse().ok();
    let url = url.filter(|url: &Url| matches!(url.scheme(), "http" | "https"));
    url.ok_or("write an http or https address, such as http://127.0.0.1:8081/healthz")
}

async fn ask(url: Url) -> reqwest::Result<()> {
    let client = reqwest::Client::builder()
        .timeout(HEALTH_TIMEOUT)
        .no_proxy();
    let answer = client.build()?.get(url).send().await?;
    answer.error_for_status().map(drop)
}

/// Runs the proxy until a signal stops it.
fn serve(matches: ArgMatches) -> Done {
    let failed = |error| format!("can't start: {error}");
    let runtime = Runtime::new().map_err(failed)?;
    // Must come first, so that no signal ends the process in another way.
    let signals = runtime.block_on(async { Signals::new() }).map_err(failed)?;
    let done = runtime.block_on(configure_and_run(signals, matches));
    // A start that a signal has ended may still wait for a file, a name server or SQLite's lock.
    runtime.shutdown_background();
    done
}

async fn configure_and_run(mut signals: Signals, matches: ArgMatches) -> Done {
    let read = tokio::task::spawn_blocking(move || (configure(&matches), matches));
    let Some(read) = signals.unless_stopped(read).await else {
        return Ok(ExitCode::SUCCESS);
    };
    let (config, matches) =
        read.map_err(|error| format!("can't read the configuration: {error}"))?;
    let config = config?;
    log::start(&config);
    Ok(match run(config, &matches, signals).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    })
}

fn configure(matches: &ArgMatches) -> Result<Config, ConfigErrors> {
    let flags = Settings::from_flags(matches);
    let settings = match matches.get_one::<PathBuf>("config") {
        Some(path) => flags.or(Settings::from_file(path)?),
        None => flags,
    };
    let text = |text: OsString| text.to_string_lossy().into_owned();
    settings.read(env::vars_os().map(|(name, value)| (text(name), text(value))))
}

async fn run(config: Config, matches: &ArgMatches, mut signals: Signals) -> Result<(), StartError> {
    let _claim = claim_database(&config)?;
    let mut applied = config.clone();
    let starting = Box::pin(start(config));
    let Some(proxy) = signals.unless_stopped(starting).await else {
        tracing::info!("stopped before the start was complete");
        return Ok(());
    };
    let proxy = proxy?;
    while signals.next_is_reload().await {
        reload(&proxy, matches, &mut applied);
    }
    tracing::info!("stopping");
    if !proxy.stop().await {
        tracing::warn!("stopped before everything was finished");
    }
    Ok(())
}

/// Reads the configuration again and applies what a running proxy can replace. If it has errors,
/// nothing changes. `applied` is what is in use.
fn reload(proxy: &Running, matches: &ArgMatches, applied: &mut Config) {
    let configured = configure(matches).and_then(|config| match config.moves_from(applied) {
        Some(setting) => Err(ConfigErrors(vec![format!(
            "`{setting}` has another value, which needs a restart; its keys are not sent to the earlier address"
        )])),
        None => Ok(config),
    });
    match configured {
        Ok(config) => {
            for warning in config.warnings() {
                tracing::warn!("{warning}");
            }
            proxy.reload(&config);
            let what = "the keys, the credentials and the meaning of statuses";
            if config.reloads_as(applied) {
                tracing::info!("{what} have not changed; any other setting needs a restart");
            } else {
                tracing::info!("reloaded {what}; any other setting needs a restart");
            }
            *applied = config;
        }
        Err(ConfigErrors(errors)) => {
            for error in errors {
                tracing::error!("{error}");
            }
            tracing::error!("nothing was reloaded; the earlier settings stay in use");
        }
    }
}
