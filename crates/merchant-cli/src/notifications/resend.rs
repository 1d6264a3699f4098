//! `tender-proxy notifications resend`.

use tender_protocol::Resent;
use tender_protocol::delivery::MAX_DELIVERIES;

use crate::client::Client;
use crate::failure::Failure;
use crate::print::{self, count};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The notifications, as `tender-proxy notifications list` prints them. Without any, nothing is sent
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Send all notifications that were given up
    #[arg(long)]
    given_up: bool,
}

pub(super) async fn run(client: &Client, arguments: &Arguments, json: bool) -> Result<(), Failure> {
    let mut ids = arguments.ids.clone();
    // As from `$(...)` when nothing waits.
    if ids.is_empty() && !arguments.given_up {
        print::note(
            "No ids were given, so nothing is sent; --given-up sends all that were given up.",
        );
        if json {
            print::json(&Resent { resent: 0 })?;
        }
        return Ok(());
    }
    ids.sort();
    ids.dedup();
    let mut found = 0;
    for ids in ids.chunks(MAX_DELIVERIES) {
        found += client.resend(ids, false).await?.resent;
    }
    let mut resent = found;
    if arguments.given_up {
        resent += client.resend(&[], true).await?.resent;
    }
    if json {
        print::json(&Resent { resent })?;
    } else {
        let sent = count(resent, "notification");
        print::note(&format!(
            "{sent} will be sent again, after any earlier one of the same payment that waits."
        ));
    }
    let unknown = u64::try_from(ids.len()).unwrap_or(u64::MAX) - found;
    if unknown > 0 {
        let unknown = count(unknown, "notification");
        return Err(Failure::NotFound(format!(
            "{unknown} not found; `tender-proxy notifications list` prints the ids"
        )));
    }
    Ok(())
}
