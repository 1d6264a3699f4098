//! The `tender-shop` program.

use std::process::ExitCode;

use clap::Parser;
use tender_shop::{Config, Shop};

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt().init();
    match Shop::start(Config::parse()).await {
        Ok(shop) => {
            tracing::info!("listening on http://{}", shop.address);
            match shop.finished().await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => fail(&error),
            }
        }
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    tracing::error!("{error}");
    ExitCode::FAILURE
}
