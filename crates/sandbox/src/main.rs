//! The program `tender-sandbox`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tender_sandbox::{Config, Sandbox};
use tracing::{error, info, warn};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// How long calls in progress may take after the signal to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> ExitCode {
    let config = Config::parse();
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .from_env_lossy();
    tracing_subscriber::fmt().with_env_filter(filter).init();

    let sandbox = match Sandbox::start(config).await {
        Ok(sandbox) => sandbox,
        Err(failure) => {
            error!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    info!(
        base_url = sandbox.base_url(),
        rates_base_url = sandbox.rates_base_url(),
        "the sandbox is ready; no money moves, and its wallets have no owner"
    );
    if let Err(failure) = stop_signal().await {
        error!(%failure, "can't listen for signals");
        return ExitCode::FAILURE;
    }
    if tokio::time::timeout(STOP_TIMEOUT, sandbox.stop())
        .await
        .is_err()
    {
        warn!("stopped before all calls were finished");
    }
    ExitCode::SUCCESS
}

/// Waits for Ctrl-C or SIGTERM.
async fn stop_signal() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
