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
    /// Send a signed event of the type `test` to the shop's backend, with the settings of the proxy, and print the answer
    Test,
}

impl Notifications {
    /// Whether this is the command that needs the settings of the proxy instead of a running one.
    pub fn is_test(&self) -> bool {
        matches!(self.action, Action::Test)
    }

    /// Whether the result is to be JSON.
    pub fn as_json(&self) -> bool {
        self.connection.json
    }

    /// Runs the command, unless it [is the test](Self::is_test).
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn run(self) -> Result<(), Failure> {
        let json = self.as_json();
        let client = Client::new(self.connection)?;
        match self.action {
            Action::List(arguments) => list::run(&client, &arguments, json).await,
            Action::Resend(arguments) => resend::run(&client, &arguments, json).await,
            Action::Test => Err(Failure::Usage(
                "this needs the settings of the proxy".to_owned(),
            )),
        }
    }
}
