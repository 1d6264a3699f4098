//! The command `tender-proxy ledger settle`, which removes a late duplicate from the ledger.

use std::process::ExitCode;

use clap::Subcommand;
use tender_proxy::config::Config;
use tender_proxy::settle_late_duplicate;

use crate::{failed, print};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Remove a late duplicate from the ledger, after you have refunded or accepted it; the payment itself
    /// is not changed
    Settle {
        /// The payment, as `tender-proxy payments list` prints it
        #[arg(value_name = "TRANSACTION_ID")]
        id: String,
    },
}

pub(crate) async fn settle(config: &Config, id: &str) -> ExitCode {
    match settle_late_duplicate(config, id).await {
        Ok(None) => {
            eprintln!(
                "there is no late duplicate with this transactionId; `tender-proxy payments list` \
                 prints those that are unresolved"
            );
            ExitCode::FAILURE
        }
        Ok(Some(settled)) => print(&format!("Settled: {settled}.\n")),
        Err(error) => failed(&error),
    }
}
