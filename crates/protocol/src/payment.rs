//! Payment records and their status (the service's document, "Payment record" and "States and
//! transitions").

mod state;

use serde::{Deserialize, Serialize};

pub use self::state::PaymentState;
use crate::amount::Amount;
use crate::record::{Record, RecordError, flag, optional_text, text};
use crate::sanitize::is_unsafe;

/// A payment as the service returns it.
///
/// Whether the service omits an optional field or sends null is not documented, so both are read as
/// absent. An absent field is not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Record")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Payment {
    /// Payment identifier, a UUID.
    pub transaction_id: String,
    /// Currency of `quantity`, in upper case. It may be a ticker instead of the code in the request, so it
    /// is for display only.
    pub token: String,
    /// Currency of `quantityPay`, in the same form.
    pub payment_token: String,
    /// The price, in `token`.
    pub quantity: Amount,
    /// The amount to pay, in `paymentToken`.
    pub quantity_pay: Amount,
    /// The price in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_usd: Option<Amount>,
    /// Buyer e-mail as sent on creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchase_email: Option<String>,
    /// Buyer name as sent on creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchase_name: Option<String>,
    /// The merchant's invoice identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invoice_number: Option<String>,
    /// Item number as sent on creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_number: Option<String>,
    /// Status code and name.
    #[serde(flatten)]
    pub status: Status,
    /// The wallet to pay, without white space around it; its format is not documented.
    pub wallet: String,
    /// Date in the form `YYYY/MM/DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// What the status means; absent if the proxy does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<PaymentState>,
    /// Whether the payment is a test, without real money.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test_mode: bool,
}

/// The status of a payment.
///
/// Only "Created" is documented. Any other status is shown with the service's own text, and is never
/// interpreted as success or failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "StatusFields")]
pub enum Status {
    /// `statusId` "1", `statusText` "Created".
    Created,
    /// A status that is not documented.
    Other {
        /// `statusId`, a number in a string; empty if the record has none.
        id: String,
        /// `statusText`; the `id` if the record has none.
        text: String,
    },
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Status {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        StatusFields::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Status {}

impl Status {
    /// From `statusId` and `statusText`; `None` if both are empty.
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
    pub fn id(&self) -> &str {
        match self {
            Self::Created => "1",
            Self::Other { id, .. } => id,
        }
    }

    /// `statusText`.
    pub fn text(&self) -> &str {
        match self {
            Self::Created => "Created",
            Self::Other { text, .. } => text,
        }
    }

    /// `statusText` as a page shows it: without characters that change the order of others, which can make another text of it.
    pub fn shown(&self) -> String {
        let text = self.text().chars();
        text.filter(|character| !is_unsafe(*character)).collect()
    }
}

impl Payment {
    /// Whether the proxy says that the payment is paid or closed.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, Some(PaymentState::Paid | PaymentState::Closed))
    }

    /// Removes the buyer's e-mail address and name from a record.
    pub fn hide_buyer(record: &mut Record) {
        record.remove("purchaseEmail");
        record.remove("purchaseName");
    }

    /// A record in JSON without the buyer's e-mail address and name. Anything else than an object becomes an empty one.
    pub fn without_buyer(json: &str) -> String {
        let mut record = Record::parse(json, "a payment record").unwrap_or_default();
        Self::hide_buyer(&mut record);
        serde_json::to_string(&record).unwrap_or_default()
    }

    /// Whether a buyer may be asked to pay it: its state is open, or is not known.
    pub fn is_payable(&self) -> bool {
        matches!(self.state, Some(PaymentState::Open) | None)
    }

    /// Reads a payment record.
    ///
    /// # Errors
    /// [`RecordError`], which names the field that is missing or invalid.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Self::try_from(&Record::parse(json, "a payment record")?)
    }
}

/// The fields of a payment record. Those that a buyer needs to pay are required, and one of the two
/// fields of the status.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentFields {
    #[serde(deserialize_with = "text")]
    transaction_id: String,
    #[serde(deserialize_with = "text")]
    token: String,
    #[serde(deserialize_with = "text")]
    payment_token: String,
    quantity: Amount,
    quantity_pay: Amount,
    price_usd: Option<Amount>,
    #[serde(default, deserialize_with = "optional_text")]
    purchase_email: Option<String>,
    #[serde(default, deserialize_with = "optional_text")]
    purchase_name: Option<String>,
    #[serde(default, deserialize_with = "optional_text")]
    invoice_number: Option<String>,
    #[serde(default, deserialize_with = "optional_text")]
    item_number: Option<String>,
    #[serde(default, deserialize_with = "text")]
    status_id: String,
    #[serde(default, deserialize_with = "text")]
    status_text: String,
    #[serde(deserialize_with = "text")]
    wallet: String,
    #[serde(default, deserialize_with = "optional_text")]
    created_at: Option<String>,
    #[serde(default, deserialize_with = "state::state")]
    state: Option<PaymentState>,
    #[serde(default, deserialize_with = "flag")]
    test_mode: bool,
}

impl TryFrom<&Record> for Payment {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields: PaymentFields = record.read("payment")?;
        let status = Status::new(&fields.status_id, &fields.status_text);
        Ok(Self {
            transaction_id: fields.transaction_id,
            token: fields.token,
            payment_token: fields.payment_token,
            quantity: fields.quantity,
            quantity_pay: fields.quantity_pay,
            price_usd: fields.price_usd,
            purchase_email: fields.purchase_email,
            purchase_name: fields.purchase_name,
            invoice_number: fields.invoice_number,
            item_number: fields.item_number,
            status: status.ok_or(RecordError::Missing {
                record: "payment",
                field: "statusId",
            })?,
            wallet: fields.wallet.trim().to_owned(),
            created_at: fields.created_at,
            state: fields.state,
            test_mode: fields.test_mode,
        })
    }
}

impl TryFrom<Record> for Payment {
    type Error = RecordError;

    fn try_from(record: Record) -> Result<Self, RecordError> {
        Self::try_from(&record)
    }
}

/// The status, as the service names it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct StatusFields {
    /// A number. Only "1" is documented: the payment was created.
    status_id: String,
    /// Its name.
    status_text: String,
}

impl From<Status> for StatusFields {
    fn from(status: Status) -> Self {
        Self {
            status_id: status.id().to_owned(),
            status_text: status.text().to_owned(),
        }
    }
}
