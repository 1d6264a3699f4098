//! A row of the `attempts` table.

use serde::de::DeserializeOwned;
use tender_protocol::{CreatePayment, Payment, ProblemCode, Record};

use crate::clock::Millis;
use crate::store::database::{Error, FromRow, Result, Row};
use crate::store::lease::StoredLease;

/// An attempt as it was when its row was read.
#[derive(Debug)]
pub(crate) struct StoredAttempt {
    pub(crate) id: String,
    /// The request to the service.
    pub(crate) request: CreatePayment,
    /// Whether the shop has signed the order, which fixes the price.
    pub(crate) signed: bool,
    pub(crate) stage: Stage,
    pub(super) fingerprint: String,
    pub(super) begun_at: Millis,
    pub(super) lease: StoredLease,
    pub(super) called_at: Millis,
    pub(super) settles_at: Millis,
    pub(super) failure: Option<ProblemCode>,
    pub(super) kept_until: Millis,
}

/// The stage of an attempt. The column `stage` has these names in lower case.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The service is being called, or was called and the response was lost.
    Requested,
    /// The service created a payment, and the buyer can pay it.
    Created(CreatedPayment),
    /// The payment is being cancelled, or was to be cancelled and the response was lost. It is no
    /// longer shown to the buyer.
    Cancelling(CreatedPayment),
    /// The payment, if there was one, is cancelled, and the order can be paid again.
    Ended(Option<String>),
    /// The service returned this record, which contradicts the request. It is kept for the merchant.
    Contradictory(Record),
    /// The service created nothing.
    Refused,
}

/// A payment that the service created, with its record unchanged.
#[derive(Clone, Debug)]
pub(crate) struct CreatedPayment {
    pub(crate) transaction_id: String,
    pub(crate) record: Record,
}

impl TryFrom<Record> for CreatedPayment {
    type Error = tender_protocol::RecordError;

    fn try_from(record: Record) -> Result<Self, Self::Error> {
        let Payment { transaction_id, .. } = Payment::try_from(&record)?;
        Ok(Self {
            transaction_id,
            record,
        })
    }
}

impl CreatedPayment {
    /// Reads a payment from its record as JSON; `None` if that is not as documented.
    pub(crate) fn parse(json: &str) -> Option<Self> {
        let record = Record::parse(json, "a payment record").ok()?;
        Self::try_from(record).ok()
    }

    /// The payment with a newer record, if that can be read.
    pub(crate) fn updated(self, record: Record) -> Self {
        match Self::try_from(record) {
            Ok(latest) if latest.transaction_id == self.transaction_id => latest,
            _ => self,
        }
    }
}

/// The columns that a stage is stored in.
pub(super) struct Columns {
    pub(super) stage: &'static str,
    pub(super) transaction_id: Option<String>,
    pub(super) record: Option<String>,
}

impl Stage {
    pub(super) fn columns(&self) -> Result<Columns> {
        let (stage, transaction_id, created) = match self {
            // The payment may belong to another attempt, so its id is only in the record.
            Self::Contradictory(record) => {
                return Ok(Columns {
                    stage: "contradictory",
                    transaction_id: None,
                    record: Some(to_json(record)?),
                });
            }
            Self::Requested => ("requested", None, None),
            Self::Created(created) => ("created", Some(&created.transaction_id), Some(created)),
            Self::Cancelling(created) => {
                ("cancelling", Some(&created.transaction_id), Some(created))
            }
            Self::Ended(transaction_id) => ("ended", transaction_id.as_ref(), None),
            Self::Refused => ("refused", None, None),
        };
        Ok(Columns {
            stage,
            transaction_id: transaction_id.cloned(),
            record: created
                .map(|created| to_json(&created.record))
                .transpose()?,
        })
    }
}

impl FromRow for StoredAttempt {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let failure: Option<String> = row.try_get("failure")?;
        let order: Option<String> = row.try_get("order_id")?;
        Ok(Self {
            id: row.try_get("id")?,
            request: json(row, "request")?,
            signed: order.is_some(),
            stage: stage(row)?,
            fingerprint: row.try_get("fingerprint")?,
            begun_at: row.try_get("begun_at")?,
            lease: StoredLease::from_row(row)?,
            called_at: row.try_get("called_at")?,
            settles_at: row.try_get("settles_at")?,
            failure: failure.map(|code| problem(&code)),
            kept_until: row.try_get("kept_until")?,
        })
    }
}

/// An attempt that was found by its key, and the digest of the request that the key was sent with.
impl FromRow for (StoredAttempt, String) {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok((
            StoredAttempt::from_row(row)?,
            row.try_get("request_digest")?,
        ))
    }
}

fn stage(row: &Row<'_>) -> Result<Stage> {
    // The payment is read from the record, because another attempt may have taken over the
    // `transaction_id` column.
    let created = || {
        let created = CreatedPayment::try_from(json::<Record>(row, "record")?);
        created.map_err(Error::unreadable)
    };
    Ok(match &*row.try_get::<String>("stage")? {
        "requested" => Stage::Requested,
        "created" => Stage::Created(created()?),
        "cancelling" => Stage::Cancelling(created()?),
        "ended" => Stage::Ended(row.try_get("transaction_id")?),
        "contradictory" => Stage::Contradictory(json(row, "record")?),
        "refused" => Stage::Refused,
        other => return Err(Error::Unreadable(format!("unknown stage {other}"))),
    })
}

/// Reads a column with JSON.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: &'static str) -> Result<T> {
    from_json(&row.try_get::<String>(column)?)
}

fn problem(code: &str) -> ProblemCode {
    let known = ProblemCode::ALL.iter().find(|known| known.as_str() == code);
    known.copied().unwrap_or(ProblemCode::Internal)
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(Error::unwritable)
}

pub(super) fn from_json<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(Error::unreadable)
}
