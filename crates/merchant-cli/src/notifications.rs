//! `tender-proxy notifications`.

mod list;
mod resend;

use clap::{Args, Subcommand};

use crate::client::Client;
use crate::failure::Failure;
use crate::{Connection, MORE_HELP};

/// `tender-proxy notifications`.
#[derive(Args)]
#[command(after_help = MORE_HELP)]
pub struct Notifications {
    #[command(flatten)]
    connection: Connection,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show notifications and the shop's answers, newest first
    List(list::Arguments),
    /// Send notifications again, with the same ids
    Resend(resend::Arguments),
}

impl Notifications {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn run(self) -> Result<(), Failure> {
        let json = self.connection.json;
        let client = Client::new(self.connection)?;
        match self.action {
            Action::List(arguments) => list::run(&client, &arguments, json).await,
            Action::Resend(arguments) => resend::run(&client, &arguments, json).await,
        }
    }
}
