//! The sandbox as a program: `tender-sandbox --help`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tender_sandbox::{Config, Sandbox};
use tracing::{error, info, warn};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// How long calls that are under way may take once the program was told to stop.
const PATIENCE: Duration = Duration::from_secs(5);

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
        "the sandbox is ready; no money moves, and nobody owns its wallets"
    );
    if let Err(failure) = told_to_stop().await {
        error!(%failure, "can't listen for signals");
        return ExitCode::FAILURE;
    }
    if tokio::time::timeout(PATIENCE, sandbox.stop())
        .await
        .is_err()
    {
        warn!("stopped with calls under way");
    }
    ExitCode::SUCCESS
}

/// Waits for Ctrl-C, or for SIGTERM where there is such a thing.
async fn told_to_stop() -> std::io::Result<()> {
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
