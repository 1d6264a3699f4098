//! `tender-proxy payments cancel`.
//!
//! The service's answer to a cancel does not state what becomes of the payment (its document, "Cancel a
//! payment"): what is reported is the status that the list shows afterwards, in the service's words.

use std::collections::{HashMap, HashSet};
use std::io::{IsTerminal as _, Write as _};
use std::num::NonZeroU32;
use std::time::Duration;

use serde::Serialize;
use tender_protocol::{Payment, Record, Status};

use super::client::Client;
use super::failure::Failure;
use super::pages::{Read, transaction_id};
use super::print::{self, note};
use super::text::{count, harmless};

/// How often the list is read again while a payment still shows as created.
const READINGS: u32 = 4;

/// Between two of these.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The payments
    #[arg(value_name = "TRANSACTION_ID", required = true)]
    ids: Vec<String>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Cancel payments whose status is not "Created" as well
    #[arg(long)]
    any_status: bool,
    /// How many pages of the list to look through at most, 20 payments each
    #[arg(long, value_name = "NUMBER", default_value = "50")]
    pages: NonZeroU32,
}

/// What became of one payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    /// The list shows another status than before.
    Changed,
    /// The service was asked, and the list shows the same status as before.
    Unchanged,
    /// Its status was not "Created": the service was not asked.
    LeftAlone,
    /// It is not in the list, as far as was looked: the service was not asked.
    NotFound,
    /// The service was asked, and what the list shows can't be read.
    NotKnown,
}

/// One payment, from the command line to the end.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    transaction_id: String,
    outcome: Outcome,
    /// The status before, in the service's words.
    before: Option<String>,
    /// The status that the list shows afterwards.
    after: Option<String>,
    /// What was wrong with the request to cancel.
    problem: Option<String>,
    #[serde(skip)]
    payment: Option<Payment>,
}

pub(super) async fn run(client: &Client, arguments: &Arguments, json: bool) -> Result<(), Failure> {
    let mut ids = arguments.ids.clone();
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let (found, read) = find(client, &ids, arguments.pages).await?;
    let mut cases: Vec<_> = ids
        .into_iter()
        .map(|id| Case::new(id, &found, arguments))
        .collect();
    for case in cases.iter().filter(|case| !case.is_asked()) {
        note(&case.told(&read.extent()));
    }
    if cases.iter().any(Case::is_asked) {
        arguments.confirm(&cases)?;
        for case in cases.iter_mut().filter(|case| case.is_asked()) {
            note(&format!("Cancelling {}", harmless(&case.transaction_id)));
            let asked = client.cancel(&case.transaction_id).await;
            case.problem = asked.err().map(|failure| failure.to_string());
        }
        look_again(client, &mut cases, arguments.pages).await;
        for case in cases.iter().filter(|case| case.is_asked()) {
            note(&case.told(&read.extent()));
        }
    }
    if json {
        print::json(&cases)?;
    }
    summary(&cases)
}

impl Arguments {
    /// Asks whoever sits at the terminal.
    fn confirm(&self, cases: &[Case]) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !std::io::stdin().is_terminal() {
            let reason = "nobody is here to confirm; --yes cancels without asking";
            return Err(Failure::Usage(reason.to_owned()));
        }
        for case in cases.iter().filter(|case| case.is_asked()) {
            note(&format!("  {}", case.named()));
        }
        let asked = cases.iter().filter(|case| case.is_asked()).count();
        let mut error = std::io::stderr();
        let _ = write!(error, "Cancel {}? [y/N] ", count(asked, "payment"));
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer);
        match (read, answer.trim()) {
            (Ok(_), "y" | "Y" | "yes") => Ok(()),
            _ => Err(Failure::Failed("Nothing was cancelled.".to_owned())),
        }
    }
}

impl Case {
    fn new(id: String, found: &HashMap<String, Record>, arguments: &Arguments) -> Self {
        let record = found.get(&id);
        let payment = record.and_then(|record| Payment::try_from(record).ok());
        let is_open = payment
            .as_ref()
            .is_none_or(|payment| payment.status == Status::Created);
        let outcome = match record {
            None => Outcome::NotFound,
            Some(_) if is_open || arguments.any_status => Outcome::NotKnown,
            Some(_) => Outcome::LeftAlone,
        };
        Self {
            transaction_id: id,
            outcome,
            before: payment
                .as_ref()
                .map(|payment| payment.status.text().to_owned()),
            after: None,
            problem: None,
            payment,
        }
    }

    /// Whether the service is asked.
    fn is_asked(&self) -> bool {
        !matches!(self.outcome, Outcome::LeftAlone | Outcome::NotFound)
    }

    fn look(&mut self, found: &HashMap<String, Record>) {
        let record = found.get(&self.transaction_id);
        let payment = record.and_then(|record| Payment::try_from(record).ok());
        if let Some(payment) = payment {
            self.after = Some(payment.status.text().to_owned());
            self.outcome = if self.after == self.before {
                Outcome::Unchanged
            } else {
                Outcome::Changed
            };
        }
    }

    /// The payment, for whoever has to say yes to it.
    fn named(&self) -> String {
        let id = harmless(&self.transaction_id);
        let Some(payment) = &self.payment else {
            return format!("{id}, whose record can't be read");
        };
        let invoice = harmless(payment.invoice_number.as_deref().unwrap_or("none"));
        let token = harmless(&payment.token);
        let payment_token = harmless(&payment.payment_token);
        let (quantity, quantity_pay) = (&payment.quantity, &payment.quantity_pay);
        let status = harmless(payment.status.text());
        format!(
            "invoice {invoice}: {quantity_pay} {payment_token} for {quantity} {token}, {status}, {id}"
        )
    }

    /// What became of it, in a line.
    fn told(&self, extent: &str) -> String {
        let id = harmless(&self.transaction_id);
        let [before, after] = [&self.before, &self.after]
            .map(|status| harmless(status.as_deref().unwrap_or("not known")));
        let mut line = match self.outcome {
            Outcome::Changed => format!("{id}: was {before}, is {after}"),
            Outcome::Unchanged => format!("{id}: the list still shows {after}"),
            Outcome::LeftAlone => {
                format!("{id}: is {before} already, and is left alone; --any-status cancels it")
            }
            Outcome::NotFound => format!("{id}: is not in {extent}"),
            Outcome::NotKnown => format!("{id}: was {before}; what became of it is not known"),
        };
        if let Some(problem) = &self.problem {
            line.push_str(". The request to cancel it: ");
            line.push_str(problem);
        }
        line
    }
}

/// Looks for these payments in the list: their records, and how far was looked.
async fn find(
    client: &Client,
    ids: &[String],
    pages: NonZeroU32,
) -> Result<(HashMap<String, Record>, Read), Failure> {
    let mut read = Read::default();
    let mut found = HashMap::new();
    let mut looked_at = 0;
    while found.len() < ids.len() && !read.ended && read.pages < pages.get() {
        read.next(client).await?;
        for record in read.records.iter().skip(looked_at) {
            if let Some(id) = transaction_id(record).filter(|id| ids.contains(id)) {
                found.insert(id, record.clone());
            }
        }
        looked_at = read.records.len();
    }
    Ok((found, read))
}

/// Reads the list again, until it shows what became of the payments.
async fn look_again(client: &Client, cases: &mut [Case], pages: NonZeroU32) {
    for reading in 0..READINGS {
        if reading > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let mut open: Vec<_> = cases
            .iter_mut()
            .filter(|case| matches!(case.outcome, Outcome::NotKnown | Outcome::Unchanged))
            .collect();
        if open.is_empty() {
            return;
        }
        let ids: Vec<_> = open
            .iter()
            .map(|case| case.transaction_id.clone())
            .collect();
        match find(client, &ids, pages).await {
            Ok((found, _)) => open.iter_mut().for_each(|case| case.look(&found)),
            Err(failure) => note(&format!("The list can't be read: {failure}")),
        }
    }
}

/// How it ended.
fn summary(cases: &[Case]) -> Result<(), Failure> {
    let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    let changed = count(Outcome::Changed);
    let total = cases.len();
    let text = format!("The status of {changed} of {total} changed.");
    if changed == total {
        note(&text);
        Ok(())
    } else if changed + count(Outcome::NotFound) == total {
        Err(Failure::NotFound(text))
    } else {
        Err(Failure::Failed(text))
    }
}
