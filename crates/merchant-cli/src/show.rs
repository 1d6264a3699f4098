//! `tender-proxy payments show`.

use std::num::NonZeroU32;

use serde::Serialize;
use tender_protocol::{KnownPayment, Payment, PaymentState, Record, sanitize};

use crate::client::Client;
use crate::failure::Failure;
use crate::list::buyer;
use crate::list_reader::{ListReader, TRANSACTION_ID};
use crate::print::{self, optional};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The payment to show
    #[arg(value_name = "TRANSACTION_ID")]
    id: String,
    /// Maximum number of pages of the list to search, with 20 payments each
    #[arg(long, value_name = "NUMBER", default_value = "50")]
    pages: NonZeroU32,
}

#[derive(Serialize)]
struct Shown<'a> {
    /// The service's record, unchanged.
    payment: &'a Record,
    /// What the proxy knows of the payment; null if nothing.
    known: Option<&'a KnownPayment>,
}

pub(crate) async fn run(client: &Client, arguments: &Arguments, json: bool) -> Result<(), Failure> {
    let mut read = ListReader::default();
    let is_it = |record: &Record| record.text(TRANSACTION_ID).as_ref() == Some(&arguments.id);
    let record = loop {
        read.next(client).await?;
        if let Some(place) = read.records.iter().position(is_it) {
            break read.records.swap_remove(place);
        }
        if read.ended || read.pages == arguments.pages.get() {
            let (id, extent) = (sanitize(&arguments.id), read.extent());
            return Err(Failure::NotFound(format!("{id} is not in {extent}")));
        }
    };
    let ledger = client.ledger(&[&arguments.id]).await?;
    let known = ledger.as_ref().and_then(|ledger| {
        let mut payments = ledger.payments.iter();
        payments.find(|known| known.transaction_id == arguments.id)
    });
    if json {
        let payment = &record;
        return print::json(&Shown { payment, known });
    }
    let payment = Payment::try_from(&record);
    let payment = payment.map_err(|error| {
        let error = sanitize(&error.to_string());
        Failure::Failed(format!("{error}; --json shows the record unchanged"))
    })?;
    print::output(&text(&payment, known))
}

fn text(payment: &Payment, known: Option<&KnownPayment>) -> String {
    let Payment {
        transaction_id,
        token,
        payment_token,
        quantity,
        quantity_pay,
        price_usd,
        // Both are in `buyer`.
        purchase_email: _,
        purchase_name: _,
        invoice_number,
        item_number,
        status,
        wallet,
        created_at,
        state,
        test_mode: _,
    } = payment;
    let mut lines = vec![
        ("transactionId", transaction_id.clone()),
        ("invoiceNumber", optional(invoice_number.as_ref())),
        ("status", format!("{} ({})", status.text(), status.id())),
        ("state", optional(state.map(PaymentState::as_str))),
        ("quantity", format!("{quantity} {token}")),
        ("quantityPay", format!("{quantity_pay} {payment_token}")),
        ("priceUsd", optional(price_usd.as_ref())),
        ("buyer", buyer(payment)),
        ("itemNumber", optional(item_number.as_ref())),
        ("wallet", wallet.clone()),
        ("createdAt", optional(created_at.as_ref())),
    ];
    if let Some(known) = known {
        let notified = match (&known.notified_at, known.notifications) {
            (Some(at), 1) => at.clone(),
            (Some(at), more) => format!("{at}, and {} more for this invoice", more - 1),
            (None, _) => "not seen".to_owned(),
        };
        lines.push(("notification", notified));
        if let (Some(attempts), Some(first)) = (known.attempts, &known.first_attempt_at) {
            lines.push(("attempts", format!("{attempts}, the first at {first}")));
        }
    }
    let lines = lines.iter().filter(|(_, value)| !value.is_empty());
    let lines = lines.map(|(name, value)| format!("{name:<14} {}\n", sanitize(value)));
    lines.collect()
}
