//! Cancelling payments.

use tender_protocol::client::Failure;
use tender_protocol::{Payment, PaymentState, Status};

/// Cancelling payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancellation {
    /// No payment is being cancelled.
    Idle,
    /// The merchant is asked to confirm that these payments should be cancelled.
    Confirming(Vec<Payment>),
    /// Cancel requests are sent, one after the other. Then the list is read for the status of the payments.
    InProgress(Batch),
    /// The results are shown.
    Finished(Vec<CancelOutcome>),
}

/// Payments that are cancelled together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The payments for which no request has finished yet; the next one is the last.
    pub remaining: Vec<Payment>,
    /// The other payments.
    pub outcomes: Vec<CancelOutcome>,
}

/// What happened to one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelOutcome {
    /// The payment before the request.
    pub before: Payment,
    /// Why the proxy or the service refused the request; `None` if it was accepted. An accepted
    /// request does not prove that the status of the payment has changed.
    pub error: Option<Failure>,
    /// What the list says afterwards.
    pub listed: ListedStatus,
}

/// What the list says about a payment after the cancel request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedStatus {
    /// Not known yet.
    Pending,
    /// The payment has this status, and means this if the proxy says so.
    Status(Status, Option<PaymentState>),
    /// The payment was not found at its earlier position in the list.
    NotFound,
    /// The list could not be read.
    Unreadable,
}

impl CancelOutcome {
    /// Whether the list was not read for the payment yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.listed == ListedStatus::Pending
    }

    /// Whether the payment is cancelled: the request was accepted, and the proxy says that the payment is closed. A proxy
    /// that doesn't say what statuses mean leaves the one that names it.
    pub fn is_cancelled(&self) -> bool {
        let is_closed = match &self.listed {
            ListedStatus::Status(_, Some(state)) => *state == PaymentState::Closed,
            ListedStatus::Status(status, None) => status.text() == CANCELLED,
            ListedStatus::Pending | ListedStatus::NotFound | ListedStatus::Unreadable => false,
        };
        self.error.is_none() && is_closed
    }
}

/// The status text that the proxy, too, takes for a cancelled payment. The service documents none.
const CANCELLED: &str = "Cancelled";

/// Whether cancelling the payment is offered: its status is the one of its creation, and the proxy doesn't say that
/// money has arrived or that it is closed. With any other status, money may be on its way, and the proxy refuses to cancel it
/// (`payment-progressed`).
pub fn can_be_cancelled(payment: &Payment) -> bool {
    let is_cancellable = match payment.state {
        Some(PaymentState::Open | PaymentState::Unknown) | None => true,
        Some(
            PaymentState::Pending
            | PaymentState::Underpaid
            | PaymentState::Paid
            | PaymentState::Closed,
        ) => false,
    };
    payment.status == Status::Created && is_cancellable
}
