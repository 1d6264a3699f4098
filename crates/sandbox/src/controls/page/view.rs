//! The data that the template shows.

use serde::Serialize;
use tender_protocol::Payment;

use super::fault::FaultRow;
use crate::state::State;

/// Maximum number of payments on the page.
const SHOWN: usize = 50;

#[derive(Serialize)]
pub(super) struct View {
    payments: Vec<Row>,
    /// Number of payments that are not on the page.
    more: usize,
    faults: Vec<FaultRow>,
    statuses: [(&'static str, &'static str); 5],
}

/// A payment. Amounts are text, so that all digits are shown.
#[derive(Serialize)]
struct Row {
    transaction_id: String,
    invoice_number: Option<String>,
    price: String,
    amount: String,
    status_id: String,
    status_text: String,
}

/// The ids and texts of the statuses that one press of a button sets. The service documents only the first one.
const STATUSES: [(&str, &str); 5] = [
    ("1", "Created"),
    ("2", "Paid"),
    ("3", "Confirming"),
    ("4", "Expired"),
    ("6", "Underpaid"),
];

impl View {
    pub(super) fn of(state: &State) -> Self {
        let shown = state.payments.iter().take(SHOWN);
        Self {
            payments: shown.map(|entry| Row::of(&entry.payment)).collect(),
            more: state.payments.len().saturating_sub(SHOWN),
            faults: state.faults.iter().map(FaultRow::from).collect(),
            statuses: STATUSES,
        }
    }
}

impl Row {
    fn of(payment: &Payment) -> Self {
        Self {
            transaction_id: payment.transaction_id.clone(),
            invoice_number: payment.invoice_number.clone(),
            price: format!("{} {}", payment.quantity, payment.token),
            amount: format!("{} {}", payment.quantity_pay, payment.payment_token),
            status_id: payment.status.id().to_owned(),
            status_text: payment.status.text().to_owned(),
        }
    }
}
