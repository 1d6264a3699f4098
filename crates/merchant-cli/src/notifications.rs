//! `tender-proxy notifications`.

mod list;
mod resend;

use clap::Subcommand;

use crate::Run;
use crate::client::Client;
use crate::failure::Failure;

#[derive(Subcommand)]
pub(crate) enum Action {
    /// Show notifications and the shop's answers, newest first
    List(list::Arguments),
    /// Send notifications again, with the same ids
    Resend(resend::Arguments),
}

impl Run for Action {
    async fn run(&self, client: &Client, json: bool) -> Result<(), Failure> {
        match self {
            Self::List(arguments) => list::run(client, arguments, json).await,
            Self::Resend(arguments) => resend::run(client, arguments, json).await,
        }
    }
}
