//! The payment that a signed order leads to: the response to `GET` of [`path::PAYMENT`](crate::path::PAYMENT) with the order as
//! bearer token.

use serde::Deserialize;

use crate::code::TokenCode;
use crate::payment::Payment;
use crate::record::{Record, RecordError, flag};

/// The field that says that a mark stands: money may have been sent.
pub const SENT: &str = "sent";

/// The field of the response to a create request that says that an earlier request, maybe of another page, created the payment.
pub const REPEATED: &str = "repeated";

/// The fields that the proxy adds to the record of a payment that was found by its order, besides those of every record.
/// The record lacks the buyer's e-mail address and name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoundFields {
    /// Allows its holder to follow the payment, and to cancel it unless `readOnly` is there.
    pub receipt: String,
    /// The code that the payment was requested with. The record may have a ticker, which several codes share.
    pub payment_token_code: TokenCode,
    /// Whether the order was signed again with another price or currency, so that this payment is not for it.
    #[serde(default, deserialize_with = "flag")]
    pub outdated: bool,
    /// Whether the order has expired, so that the receipt only reads.
    #[serde(default, deserialize_with = "flag")]
    pub read_only: bool,
}

impl FoundFields {
    /// Reads the additional fields of the response.
    ///
    /// # Errors
    /// [`RecordError`], which names the field that is missing or invalid.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Record::parse(json, "a payment record")?.read("payment")
    }

    /// Adds the fields to the payment's record. Flags that don't apply are left out, also if the service sends one of that
    /// name, and so are the buyer's e-mail address and name.
    ///
    /// # Errors
    /// Never for texts; the signature is `serde_json`'s.
    pub fn add_to(&self, record: &mut Record) -> Result<(), serde_json::Error> {
        Payment::hide_buyer(record);
        record.set("receipt", &self.receipt)?;
        record.set("paymentTokenCode", &self.payment_token_code)?;
        record.set_flag("outdated", self.outdated);
        record.set_flag("readOnly", self.read_only);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_fields_are_added_to_the_record_and_read_from_it() {
        let json = r#"{"transactionId":"t","purchaseEmail":"a@shop.example","purchaseName":"A","quantity":1.10}"#;
        let mut record = Record::parse(json, "a payment record").unwrap();
        let found = FoundFields {
            receipt: "a.b.c".to_owned(),
            payment_token_code: TokenCode::from("usdte"),
            outdated: true,
            read_only: false,
        };
        found.add_to(&mut record).unwrap();
        let written = serde_json::to_string(&record).unwrap();
        let expected = r#"{"transactionId":"t","quantity":1.10,"receipt":"a.b.c","paymentTokenCode":"usdte","outdated":true}"#;
        assert_eq!(written, expected);
        assert_eq!(FoundFields::parse(&written), Ok(found));
    }
}
