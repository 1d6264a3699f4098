//! `tender-proxy payments cancel`.
//!
//! The service's response to a cancel request does not state the new status of the payment (its
//! document, "Cancel a payment"). So the command reports the status that the list shows afterwards,
//! in the service's words, and whether the proxy has cancelled the payment.

use std::collections::{HashMap, HashSet};
use std::io::{IsTerminal as _, Write as _};
use std::num::NonZeroU32;
use std::time::Duration;

use tender_protocol::{Record, sanitize};

use crate::cancellation::{Cancellation, Outcome};
use crate::client::Client;
use crate::failure::Failure;
use crate::list_reader::{ListReader, TRANSACTION_ID};
use crate::print::{self, count, note};

/// How often the list is read again while a payment's status has not changed.
const RECHECKS: u32 = 4;

/// Pause between two reads.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The payments to cancel
    #[arg(value_name = "TRANSACTION_ID", required = true)]
    ids: Vec<String>,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Also ask the proxy to cancel payments whose status is not "Created"
    #[arg(long)]
    any_status: bool,
    /// Maximum number of pages of the list to search, with 20 payments each
    #[arg(long, value_name = "NUMBER", default_value = "50")]
    pages: NonZeroU32,
}

pub(crate) async fn run(client: &Client, arguments: &Arguments, json: bool) -> Result<(), Failure> {
    let mut ids = arguments.ids.clone();
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let (found, read) = find(client, &ids, arguments.pages).await?;
    let mut cancellations: Vec<_> = ids
        .into_iter()
        .map(|id| Cancellation::new(id, &found, arguments.any_status))
        .collect();
    let all = cancellations.iter_mut();
    let (mut requested, others): (Vec<_>, Vec<_>) = all.partition(|it| it.is_requested());
    for cancellation in others {
        note(&cancellation.report(&read.extent()));
    }
    if !requested.is_empty() {
        arguments.confirm(&requested)?;
        for cancellation in &mut requested {
            let id = &cancellation.transaction_id;
            note(&format!("Cancelling {}", sanitize(id)));
            let asked = client.cancel(id).await;
            cancellation.problem = asked.err().map(|failure| failure.to_string());
        }
        recheck(client, &mut requested, arguments.pages).await;
        for cancellation in requested {
            note(&cancellation.report(&read.extent()));
        }
    }
    if json {
        print::json(&cancellations)?;
    }
    summary(&cancellations)
}

impl Arguments {
    /// Asks for confirmation on the terminal.
    fn confirm(&self, requested: &[&mut Cancellation]) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !std::io::stdin().is_terminal() {
            let reason = "there is no terminal to confirm on; --yes cancels without asking";
            return Err(Failure::Usage(reason.to_owned()));
        }
        for cancellation in requested {
            note(&format!("  {}", cancellation.description()));
        }
        let payments = count(requested.len(), "payment");
        let _ = write!(std::io::stderr(), "Cancel {payments}? [y/N] ");
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer);
        match (read, answer.trim()) {
            (Ok(_), "y" | "Y" | "yes") => Ok(()),
            _ => Err(Failure::Failed("Nothing was cancelled.".to_owned())),
        }
    }
}

/// Searches the list for these payments. Returns their records and what was read of the list.
async fn find(
    client: &Client,
    ids: &[String],
    pages: NonZeroU32,
) -> Result<(HashMap<String, Record>, ListReader), Failure> {
    let mut read = ListReader::default();
    let mut found = HashMap::new();
    let mut looked_at = 0;
    while found.len() < ids.len() && !read.ended && read.pages < pages.get() {
        read.next(client).await?;
        for record in read.records.iter().skip(looked_at) {
            if let Some(id) = record.text(TRANSACTION_ID).filter(|id| ids.contains(id)) {
                found.insert(id, record.clone());
            }
        }
        looked_at = read.records.len();
    }
    Ok((found, read))
}

/// Reads the list again until it shows a new status for each payment, or that it is closed.
async fn recheck(client: &Client, requested: &mut [&mut Cancellation], pages: NonZeroU32) {
    for reading in 0..RECHECKS {
        if reading > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let open = requested.iter_mut();
        let open: Vec<_> = open.filter(|it| it.outcome != Outcome::Changed).collect();
        if open.is_empty() {
            return;
        }
        let ids: Vec<_> = open.iter().map(|it| it.transaction_id.clone()).collect();
        match find(client, &ids, pages).await {
            Ok((found, _)) => open.into_iter().for_each(|it| it.update(&found)),
            Err(failure) => note(&format!("The list can't be read: {failure}")),
        }
    }
}

/// Prints the result.
fn summary(cancellations: &[Cancellation]) -> Result<(), Failure> {
    let all = cancellations.iter();
    let count = |outcome| all.clone().filter(|it| it.outcome == outcome).count();
    let changed = count(Outcome::Changed);
    let total = cancellations.len();
    let text = format!("The status or state of {changed} of {total} has changed.");
    if changed == total {
        note(&text);
        Ok(())
    } else if changed + count(Outcome::NotFound) == total {
        Err(Failure::NotFound(text))
    } else {
        Err(Failure::Failed(text))
    }
}
