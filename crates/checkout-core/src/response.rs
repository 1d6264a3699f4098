//! Reads the proxy's responses into records, or a failure.

use tender_protocol::client::failure::Failure;
pub use tender_protocol::client::response::{
    FetchResult, HttpResponse, TransportError, is_route_missing, success,
};
use tender_protocol::found::{REPEATED, SENT};
use tender_protocol::sent::Mark;
use tender_protocol::{Payment, PaymentState, Record, Status, Token};

use crate::found::FoundPayment;
use crate::state::{Access, Facts};
use crate::status_record::{StatusRecord, has_arrived};

/// A new payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The record.
    pub payment: Payment,
    /// The proxy's receipt, with which the buyer can follow and cancel the payment. A proxy that only forwards
    /// requests issues none.
    pub receipt: Option<String>,
    /// What else the response says of it.
    pub facts: Facts,
}

impl Created {
    /// Reads a record. An earlier request, maybe of another page, created the payment if it `is_repeated`; only the response to the
    /// creation itself may have any status.
    pub(crate) fn read(record: &Record, is_repeated: bool) -> Result<Self, Failure> {
        let payment = Payment::try_from(record)?;
        let receipt = record.string("receipt");
        let has_other_status = matches!(payment.status, Status::Other { .. });
        Ok(Self {
            facts: Facts {
                access: if is_repeated {
                    Access::Found
                } else {
                    Access::Owned
                },
                is_order_paid: record.is_true(PaymentState::ORDER_PAID),
                is_order_seen: record.is_true(PaymentState::ORDER_SEEN),
                is_marked: record.is_true(SENT),
                has_status_changed: payment.state.is_some_and(has_arrived)
                    || is_repeated && has_other_status,
                ..Facts::default()
            },
            payment,
            receipt: receipt.filter(|receipt| is_bearer_token(receipt)),
        })
    }
}

/// Reads the response of the token listing: the tokens in which a payment can be made.
///
/// # Errors
/// [`Failure`] if the response contains no token listing.
pub fn tokens(result: FetchResult) -> Result<Vec<Token>, Failure> {
    Ok(Token::accepted(&success(result)?)?)
}

/// Reads the create response.
///
/// # Errors
/// [`Failure`] if the response contains no payment.
pub fn created(result: FetchResult) -> Result<Created, Failure> {
    let record = Record::parse(&success(result)?, "a payment record")?;
    Created::read(&record, record.is_true(REPEATED))
}

/// Reads the response of the look-up of the order's payment: `None` if the proxy knows no payment of the order, or has no
/// such route.
///
/// # Errors
/// [`Failure`] if it remains unknown whether the order has a payment.
pub fn found(result: FetchResult) -> Result<Option<FoundPayment>, Failure> {
    if is_route_missing(&result) || matches!(result, Ok(HttpResponse { status: 204, .. })) {
        return Ok(None);
    }
    let record = Record::parse(&success(result)?, "a payment record")?;
    FoundPayment::try_from(&record).map(Some)
}

/// Reads the cancel response, and returns the record of this payment, if it contains one. The documentation does not
/// say how the records relate to the cancelled payment, so other records are ignored.
///
/// # Errors
/// [`Failure`] if the response is not the documented array, because it then doesn't prove that the payment was
/// cancelled.
pub fn cancelled(
    result: FetchResult,
    transaction_id: &str,
) -> Result<Option<StatusRecord>, Failure> {
    let elements = Record::parse_array(&success(result)?, "a list of payment records")?;
    let records: Result<Vec<_>, _> = elements.into_iter().collect();
    Ok(records?
        .iter()
        .filter_map(|record| StatusRecord::try_from(record).ok())
        .find(|record| record.transaction_id == transaction_id))
}

/// Whether the proxy did nothing, because this client sends too many requests (RFC 6585, section 4).
pub(crate) fn is_turned_away(result: &FetchResult) -> bool {
    matches!(result, Ok(HttpResponse { status: 429, .. }))
}

/// Reads the response to a mark.
///
/// # Errors
/// [`Failure`] if the response does not say that the payment is marked.
pub fn marked(result: FetchResult) -> Result<Mark, Failure> {
    let record = Record::parse(&success(result)?, "a mark")?;
    Ok(record.read("mark")?)
}

/// Reads the status response.
///
/// # Errors
/// [`Failure`] if the response contains no payment.
pub fn status(result: FetchResult) -> Result<StatusRecord, Failure> {
    Ok(StatusRecord::parse(&success(result)?)?)
}

/// Whether a header can contain it: printable characters without spaces (RFC 6750, section 2.1).
fn is_bearer_token(receipt: &str) -> bool {
    !receipt.is_empty() && receipt.bytes().all(|byte| byte.is_ascii_graphic())
}
