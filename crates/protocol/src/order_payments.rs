//! The payments of an invoice number, for the shop's backend: the response to `GET` of
//! [`path::ORDERS`](crate::path::ORDERS).

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::ledger::Reconciling;
use crate::record::Record;
use crate::request::SignedOrder;

/// How many payments are returned at most.
pub const MAX_PAYMENTS: usize = 100;

/// The payments of an invoice number, and the attempts whose outcome is not known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderPayments {
    /// The latest records of at most 100 payments, each with what the proxy adds: paid ones first,
    /// then the open one, then ended ones, the latest first.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::openapi::InvoicePayment>))]
    pub payments: Vec<Record>,
    /// Attempts whose outcome is not known, newest first. One that is being cancelled is among the payments, too.
    pub doubts: Vec<Reconciling>,
    /// Whether a payment is being created, or searched for in the list. It may be among neither the payments nor the doubts yet.
    #[serde(default)]
    pub creating: bool,
    /// Since when the proxy knows every payment, as RFC 3339 writes it: the operator restored its database from a backup then. It may
    /// not know one that was created before. Absent if that never happened.
    #[serde(
        default,
        rename = "memorySince",
        skip_serializing_if = "Option::is_none"
    )]
    pub memory_since: Option<String>,
}

/// What the proxy adds to the record of a payment, besides `state`, `orderPaid` and `testMode`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = OrderFields))]
pub struct OrderPayment {
    /// The order that the shop has signed; absent if it was not signed. Then anyone may have set the price and the invoice
    /// number.
    #[serde(default)]
    pub order: Option<SignedOrder>,
    /// How many marks say that money may have been sent.
    pub sent: usize,
    /// When the record was last read from the service, as RFC 3339 writes it.
    pub read_at: String,
    /// The amount to pay in the service's list, if it differs from `quantityPay`, which the buyer sees.
    #[serde(default)]
    pub listed_quantity_pay: Option<Amount>,
}

impl OrderPayment {
    /// The name of the field `listed_quantity_pay` in a record.
    pub const LISTED_PAY: &str = "listedQuantityPay";

    /// Adds the fields to the payment's record. A field of that name of the service is not taken for the proxy's.
    ///
    /// # Errors
    /// Never for texts and numbers; the signature is `serde_json`'s.
    pub fn add_to(&self, record: &mut Record) -> Result<(), serde_json::Error> {
        record.remove(SignedOrder::FIELD);
        if let Some(order) = &self.order {
            record.set(SignedOrder::FIELD, order)?;
        }
        record.remove(Self::LISTED_PAY);
        if let Some(listed_pay) = &self.listed_quantity_pay {
            record.set(Self::LISTED_PAY, listed_pay)?;
        }
        record.set("sent", &self.sent)?;
        record.set("readAt", &self.read_at)
    }
}
