//! `tender-proxy payments list`.

use std::num::NonZeroU32;

use tender_payments_core::{Filter, csv};
use tender_protocol::client::typed::DecimalSeparator;
use tender_protocol::ledger::Reason;
use tender_protocol::{Payment, Record, sanitize};

use crate::client::Client;
use crate::failure::Failure;
use crate::list_reader::ListReader;
use crate::print::{self, optional};
use crate::table::{Table, WhenNarrow};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Page to show, with 20 payments each
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        conflicts_with = "all"
    )]
    page: NonZeroU32,
    /// Show all pages
    #[arg(long)]
    all: bool,
    /// Maximum number of pages that --all reads
    #[arg(long, value_name = "NUMBER", default_value = "500")]
    pages: NonZeroU32,
    /// Show only payments that contain this text, among the pages read
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Show only payments with this invoice number, among the pages read
    #[arg(long, value_name = "NUMBER")]
    invoice: Option<String>,
    /// Show only payments with this status text or id, or this state, among the pages read
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
    /// Write CSV (RFC 4180) with exact amounts. Texts are escaped so that spreadsheets don't run
    /// them as formulas
    #[arg(long)]
    csv: bool,
}

pub(crate) async fn run(client: &Client, arguments: &Arguments, json: bool) -> Result<(), Failure> {
    // clap can't check this conflict, because --json may come before the subcommand.
    if arguments.csv && json {
        let reason = "--csv and --json can't be combined";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let mut records = arguments.read(client).await?;
    if arguments.filters() {
        records.retain(|record| arguments.matches(record));
    }
    if json {
        return print::json(&records);
    }
    if !arguments.csv {
        print_unresolved(client).await;
    }
    let mut payments = Vec::with_capacity(records.len());
    for record in &records {
        match Payment::try_from(record) {
            Ok(payment) => payments.push(payment),
            Err(error) => {
                let error = sanitize(&error.to_string());
                print::note(&format!(
                    "{error}; this record is skipped; --json shows it unchanged"
                ));
            }
        }
    }
    if arguments.csv {
        return print::csv(&csv::write(&payments, DecimalSeparator::Point));
    }
    if payments.is_empty() {
        print::note("No payments.");
        return Ok(());
    }
    print::table(table(&payments))
}

/// Prints the orders whose payment may be missing from the list or may be being cancelled.
async fn print_unresolved(client: &Client) {
    let ledger = match client.ledger(&[]).await {
        Ok(ledger) => ledger.unwrap_or_default(),
        // The list itself can still be shown.
        Err(failure) => {
            return print::note(&format!("Can't read what the proxy knows: {failure}"));
        }
    };
    for order in ledger.reconciling {
        let doubt = match order.reason {
            Reason::CreateUnanswered => "it is not known whether the payment was created",
            Reason::CreateContradictory => "the created payment contradicts the order",
            Reason::ListContradictory => "the service's list contradicts the payment",
            Reason::CancelUnanswered => "it is not known whether the payment was cancelled",
            Reason::LateDuplicate => "a second payment was created, and it is not cancelled yet",
            Reason::Unknown => "its outcome is not known",
        };
        let [invoice, token, payment_token, since] = [
            &order.invoice_number,
            &order.token,
            &order.payment_token,
            &order.since,
        ]
        .map(|text| sanitize(text));
        let quantity = order.quantity;
        let mut order_text =
            format!("invoice {invoice}, {quantity} {token} paid in {payment_token}");
        if let Some(id) = &order.transaction_id {
            order_text.push_str(", transactionId ");
            order_text.push_str(&sanitize(id));
        }
        let code = order.reason.as_str();
        print::note(&format!(
            "Unresolved: {order_text}: {doubt} [{code}], since {since}."
        ));
    }
    if ledger.more {
        print::note("There are more of these.");
    }
}

impl Arguments {
    async fn read(&self, client: &Client) -> Result<Vec<Record>, Failure> {
        if !self.all {
            return client.page(self.page.get()).await;
        }
        let mut read = ListReader::default();
        while !read.ended && read.pages < self.pages.get() {
            read.next(client).await?;
        }
        if !read.ended {
            print::note(&format!("These are {}.", read.extent()));
        }
        Ok(read.records)
    }

    fn filters(&self) -> bool {
        self.search.is_some() || self.invoice.is_some() || self.status.is_some()
    }

    fn matches(&self, record: &Record) -> bool {
        let Ok(payment) = Payment::try_from(record) else {
            return false;
        };
        let search = Filter {
            text: self.search.clone().unwrap_or_default(),
            ..Filter::default()
        };
        let invoice = self.invoice.as_ref();
        let status = self.status.as_ref();
        search.matches(&payment)
            && invoice.is_none_or(|invoice| payment.invoice_number.as_ref() == Some(invoice))
            && status.is_none_or(|status| {
                payment.status.text().eq_ignore_ascii_case(status)
                    || payment.status.id() == status
                    || payment.state.is_some_and(|state| state.as_str() == status)
            })
    }
}

/// A table of payments, with the service's field names as titles.
pub(crate) fn table(payments: &[Payment]) -> Table {
    let columns = [
        ("createdAt", false, WhenNarrow::Hide(3)),
        ("invoiceNumber", false, WhenNarrow::Truncate),
        ("quantity", true, WhenNarrow::Keep),
        ("token", false, WhenNarrow::Keep),
        ("quantityPay", true, WhenNarrow::Keep),
        ("paymentToken", false, WhenNarrow::Keep),
        ("priceUsd", true, WhenNarrow::Hide(2)),
        ("statusText", false, WhenNarrow::Keep),
        ("buyer", false, WhenNarrow::Hide(1)),
        ("transactionId", false, WhenNarrow::Keep),
    ];
    Table::new(&columns, payments.iter().map(row))
}

fn row(payment: &Payment) -> Vec<String> {
    vec![
        optional(payment.created_at.as_ref()),
        optional(payment.invoice_number.as_ref()),
        payment.quantity.to_string(),
        payment.token.clone(),
        payment.quantity_pay.to_string(),
        payment.payment_token.clone(),
        optional(payment.price_usd.as_ref()),
        payment.status.text().to_owned(),
        buyer(payment),
        payment.transaction_id.clone(),
    ]
}

/// Name and e-mail address of the buyer.
pub(crate) fn buyer(payment: &Payment) -> String {
    let buyer = [&payment.purchase_name, &payment.purchase_email];
    let buyer: Vec<_> = buyer.into_iter().flatten().map(String::as_str).collect();
    buyer.join(", ")
}
