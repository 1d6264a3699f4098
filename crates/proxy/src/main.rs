//! The program `tender-proxy`.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use tender_proxy::config::{self, Config, ConfigErrors, LogFormat, Settings};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Requests allocate many small objects and free them on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MORE_HELP: &str = "\
Every setting is a flag, an environment variable and a name in the file: --base-url, \
TENDER_BASE_URL and base_url. Flags take precedence over environment variables, which take \
precedence over the file. A repeatable setting is a repeated flag, a list in the file, and one \
value per line in an environment variable. Other users of the machine can see flags: pass secrets \
by file or environment variable.";

/// The subcommand that docs/configuration.md is made with.
const SETTINGS: &str = "settings";

fn main() -> ExitCode {
    let matches = command().get_matches();
    if let Some(matches) = matches.subcommand_matches(tender_merchant_cli::NAME) {
        return tender_merchant_cli::run(matches);
    }
    if matches.subcommand_matches(SETTINGS).is_some() {
        println!("{}", config::markdown());
        return ExitCode::SUCCESS;
    }
    let config = match configure(&matches) {
        Ok(config) => config,
        Err(errors) => {
            eprintln!("{errors}");
            return ExitCode::from(2);
        }
    };
    if matches.get_flag("check") {
        println!("The configuration is valid.");
        for warning in tender_proxy::warnings(&config) {
            println!("Warning: {warning}.");
        }
        return ExitCode::SUCCESS;
    }
    log(&config);
    match run(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    Command::new("tender-proxy")
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
        .subcommand(tender_merchant_cli::command())
        .subcommand(Command::new(SETTINGS).about("Print all settings as Markdown tables"))
}

fn configure(matches: &ArgMatches) -> Result<Config, ConfigErrors> {
    let mut settings = Settings::from_flags(matches);
    if let Some(path) = matches.get_one::<PathBuf>("config") {
        settings = settings.or(Settings::from_file(path)?);
    }
    settings.read()
}

/// Sets up logging. Logs of other crates may contain secrets, so only their warnings are shown.
fn log(config: &Config) {
    let level = config.logging.level;
    let shown = Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        .with_target("tender_proxy", level);
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_target(false);
    let registry = tracing_subscriber::registry().with(shown);
    match config.logging.format {
        LogFormat::Text => registry.with(lines).init(),
        LogFormat::Json => registry
            .with(lines.json().flatten_event(true).with_span_list(false))
            .init(),
    }
}

#[tokio::main]
async fn run(config: Config) -> Result<(), Box<dyn std::error::Error>> {
    // Must come before the proxy listens, so that a signal always waits for requests in progress.
    let stop = stop_signal()?;
    let proxy = tender_proxy::start(config).await?;
    stop.await;
    tracing::info!("stopping");
    if !proxy.stop().await {
        tracing::warn!("stopped before everything was finished");
    }
    Ok(())
}

/// Completes on Ctrl-C or SIGTERM.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Completes on Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // If the signal can't be received, wait forever.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
