//! Payment records and their status (the service's document, "Payment record" and "States and
//! transitions").

use serde::{Deserialize, Deserializer};

use crate::amount::Amount;
use crate::record::{Record, RecordError, serialize_as_record};

/// A payment request as the service knows it.
///
/// Whether the service omits an optional field or sends null is not documented, so both read as
/// `None`, and `None` is omitted when written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Payment identifier, a UUID.
    pub transaction_id: String,
    /// Currency of `quantity`, as the service shows it: in upper case, maybe a ticker. For display
    /// only; it need not be the code that the request carried.
    pub token: String,
    /// Currency of `quantity_pay`, as the service shows it.
    pub payment_token: String,
    /// The price, in `token`.
    pub quantity: Amount,
    /// The amount to pay, in `payment_token`.
    pub quantity_pay: Amount,
    /// The price in US dollars.
    pub price_usd: Option<Amount>,
    /// Buyer e-mail as sent on creation.
    pub purchase_email: Option<String>,
    /// Buyer name as sent on creation.
    pub purchase_name: Option<String>,
    /// The merchant's invoice identifier.
    pub invoice_number: Option<String>,
    /// As sent on creation.
    pub item_number: Option<String>,
    /// Status code and name.
    pub status: Status,
    /// The wallet to pay, without white space around it; its format is not documented.
    pub wallet: String,
    /// Date in the form `YYYY/MM/DD`.
    pub created_at: Option<String>,
}

/// The status of a payment: the one that is documented, or the service's own words.
///
/// Only "Created" is documented. Any other status is shown as the service names it and is never
/// taken for success or failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// `statusId` "1", `statusText` "Created".
    Created,
    /// A status that the service's document does not show.
    Other {
        /// `statusId`, a number carried in a string; empty where the record has none.
        id: String,
        /// `statusText`; the `id` where the record has none.
        text: String,
    },
}

impl Status {
    /// From `statusId` and `statusText`; `None` where both are empty.
    #[must_use]
    pub fn new(id: &str, text: &str) -> Option<Self> {
        match (id, text) {
            ("", "") => None,
            ("1", "" | "Created") => Some(Self::Created),
            (id, text) => Some(Self::Other {
                id: id.to_owned(),
                text: if text.is_empty() { id } else { text }.to_owned(),
            }),
        }
    }

    /// `statusId`.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Created => "1",
            Self::Other { id, .. } => id,
        }
    }

    /// `statusText`.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Created => "Created",
            Self::Other { text, .. } => text,
        }
    }
}

impl Payment {
    /// Reads a payment record.
    ///
    /// # Errors
    /// [`RecordError`], naming the field that is missing or unreadable.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Self::try_from(&Record::parse(json, "a payment record")?)
    }

    /// Reads a list of payment records: an answer of list or cancel.
    ///
    /// # Errors
    /// [`RecordError`] of the first record that can't be read.
    pub fn parse_list(json: &str) -> Result<Vec<Self>, RecordError> {
        let records = Record::parse_array(json, "a list of payment records")?;
        let records = records.into_iter();
        records.map(|record| Self::try_from(&record?)).collect()
    }
}

/// Required: what a buyer needs to pay (`transactionId`, both currencies and amounts, `wallet`)
/// and a status.
impl TryFrom<&Record> for Payment {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("payment");
        let status_id = fields.text("statusId")?.unwrap_or_default();
        let status_text = fields.text("statusText")?.unwrap_or_default();
        Ok(Self {
            transaction_id: fields.required_text("transactionId")?,
            token: fields.required_text("token")?,
            payment_token: fields.required_text("paymentToken")?,
            quantity: fields.required_amount("quantity")?,
            quantity_pay: fields.required_amount("quantityPay")?,
            price_usd: fields.parsed("priceUsd")?,
            purchase_email: fields.text("purchaseEmail")?,
            purchase_name: fields.text("purchaseName")?,
            invoice_number: fields.text("invoiceNumber")?,
            item_number: fields.text("itemNumber")?,
            status: Status::new(&status_id, &status_text).ok_or(RecordError::Missing {
                record: "payment",
                field: "statusId",
            })?,
            wallet: fields.required_text("wallet")?.trim().to_owned(),
            created_at: fields.text("createdAt")?,
        })
    }
}

impl<'de> Deserialize<'de> for Payment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(&Record::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl From<&Payment> for Record {
    fn from(payment: &Payment) -> Self {
        Self::default()
            .with("transactionId", payment.transaction_id.as_str())
            .with("token", payment.token.as_str())
            .with("paymentToken", payment.payment_token.as_str())
            .with_amount("quantity", &payment.quantity)
            .with_amount("quantityPay", &payment.quantity_pay)
            .with_amount("priceUsd", payment.price_usd.as_ref())
            .with("purchaseEmail", payment.purchase_email.as_deref())
            .with("purchaseName", payment.purchase_name.as_deref())
            .with("invoiceNumber", payment.invoice_number.as_deref())
            .with("itemNumber", payment.item_number.as_deref())
            .with("statusId", payment.status.id())
            .with("statusText", payment.status.text())
            .with("wallet", payment.wallet.as_str())
            .with("createdAt", payment.created_at.as_deref())
    }
}

serialize_as_record!(Payment);
