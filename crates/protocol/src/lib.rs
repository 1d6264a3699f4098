//! Wire records of the payment service and of the merchant proxy, and exact amounts. No I/O.
//!
//! The widget, the proxy and the sandbox all speak these words, so that nothing about the wire is
//! written twice. Field names are the service's own (its document, "Resources and their fields").
//!
//! | module | what it holds |
//! |---|---|
//! | [`amount`] | [`Amount`]: an exact decimal, kept digit for digit |
//! | [`code`] | [`TokenCode`] and the codes that the create endpoint accepts |
//! | [`record`] | [`Record`]: a JSON object whose values keep their own text; typed records; errors that name a field |
//! | [`token`] | [`Token`], [`Network`]: what the token listing returns |
//! | [`payment`] | [`Payment`], [`Status`]: what create and cancel return and the list holds |
//! | [`request`] | what is sent to create and to cancel |
//! | [`ledger`] | [`Ledger`]: what the proxy knows of payments beyond the service's list |
//! | [`event`] | the names of what a stream of events tells |
//! | [`problem`] | [`Problem`]: how the proxy says no (RFC 9457) |

pub mod amount;
pub mod code;
pub mod ledger;
pub mod payment;
pub mod problem;
pub mod record;
pub mod request;
pub mod token;

pub use amount::{Amount, AmountError};
pub use code::{ACCEPTED, TokenCode};
pub use ledger::{KnownPayment, Ledger, Reconciling};
pub use payment::{Payment, Status};
pub use problem::{Problem, ProblemCode};
pub use record::{Record, RecordError};
pub use request::{CancelPayment, CreatePayment, OrderPayment};
pub use token::{Listing, Network, Token};

/// Where each endpoint lives, below the base address (the service's document, "Endpoints").
/// The proxy answers at the same paths, so the widget speaks the documented interface itself.
pub mod path {
    /// `GET`, on the rates address: the tokens enabled for the project.
    pub const TOKENS: &str = "/api/v1/rates/my-tokens";
    /// `POST`: create a payment request.
    pub const PAYMENT: &str = "/api/v1/payment";
    /// `GET`: list payments, [`PAGE_SIZE`](super::PAGE_SIZE) a page.
    pub const LIST: &str = "/api/v1/payment/list";
    /// `POST`: cancel a payment.
    pub const CANCEL: &str = "/api/v1/payment/cancel";
    /// `GET`, the proxy's own: what it knows of the payments that the query names by `transactionId`,
    /// up to [`MAX_ASKED`](super::ledger::MAX_ASKED) of them.
    pub const LEDGER: &str = "/api/v1/payment/ledger";
    /// `GET`, the proxy's own: a stream of the [`event`](super::event)s of all payments.
    pub const EVENTS: &str = "/api/v1/payment/events";
}

/// What a stream of server-sent events tells (the HTML standard, "Server-sent events").
pub mod event {
    /// A payment that the proxy had not seen before; its record. Only in the stream of all payments.
    pub const CREATED: &str = "created";
    /// The record of a payment, which reads otherwise than before.
    pub const STATUS: &str = "status";
    /// What the proxy knows of payments may have changed: ask for it again. The data is `{}`. Only in
    /// the stream of all payments.
    pub const LEDGER: &str = "ledger";
}

/// Payments on one page of the list (the service's document, "Limits").
pub const PAGE_SIZE: usize = 20;
