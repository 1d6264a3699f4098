//! Answers of the proxy, read into records or a failure.

use tender_client::answer::success;
pub use tender_client::answer::{FetchResult, HttpResponse, TransportError, is_route_missing};
use tender_client::failure::Failure;
use tender_protocol::{Listing, Payment, Record};

/// A new payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The record.
    pub payment: Payment,
    /// The proxy's receipt, with which the buyer may follow and cancel the payment. A proxy that
    /// only forwards gives none.
    pub receipt: Option<String>,
}

/// Reads the answer of the token listing: the tokens that a payment can be made in.
///
/// # Errors
/// [`Failure`] where it holds no tokens.
pub fn tokens(answered: FetchResult) -> Result<Listing, Failure> {
    Ok(Listing::accepted(&success(answered)?)?)
}

/// Reads the answer of create.
///
/// # Errors
/// [`Failure`] where it holds no payment.
pub fn created(answered: FetchResult) -> Result<Created, Failure> {
    let record = Record::parse(&success(answered)?, "a payment record")?;
    let receipt = record.string("receipt");
    let receipt = receipt.filter(|receipt| is_bearer_token(receipt));
    Ok(Created {
        payment: Payment::try_from(&record)?,
        receipt,
    })
}

/// Reads the answer of cancel: the record of this payment among those that it holds, if any. How
/// they relate to the cancelled payment is not documented, so another's record may be anything.
///
/// # Errors
/// [`Failure`] where the answer is not the documented array: then it does not say that the payment
/// was cancelled.
pub fn cancelled(answered: FetchResult, transaction_id: &str) -> Result<Option<Payment>, Failure> {
    let elements = Record::parse_array(&success(answered)?, "a list of payment records")?;
    let records: Result<Vec<_>, _> = elements.into_iter().collect();
    Ok(records?
        .iter()
        .filter_map(|record| Payment::try_from(record).ok())
        .find(|payment| payment.transaction_id == transaction_id))
}

/// Reads the answer of a status request.
///
/// # Errors
/// [`Failure`] where it holds no payment.
pub fn status(answered: FetchResult) -> Result<Payment, Failure> {
    Ok(Payment::parse(&success(answered)?)?)
}

/// Whether a header can carry it: printable characters without a space (RFC 6750, section 2.1).
fn is_bearer_token(receipt: &str) -> bool {
    !receipt.is_empty() && receipt.bytes().all(|byte| byte.is_ascii_graphic())
}
