//! A row of the `attempts` table.

use serde::de::DeserializeOwned;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};
use tender_ledger::{Asked, Stage};
use tender_protocol::{CreatePayment, ProblemCode, Record};

use super::attempt::fingerprint;
use crate::clock::Millis;
use crate::store::database::undecodable;
use crate::store::lease::StoredLease;

/// An attempt as it was when its row was read.
#[derive(Clone, Debug)]
pub(crate) struct StoredAttempt {
    pub(crate) id: String,
    /// The digest of the order, if the shop has signed one, which fixes the price.
    pub(crate) order_id: Option<String>,
    /// Of a payment that was created too late: the attempt that another instance had taken over.
    pub(crate) duplicate_of: Option<String>,
    /// The request to the service. `None` if it is no longer stored, or if the payment was created elsewhere.
    pub(crate) request: Option<CreatePayment>,
    /// Whether it lacks the data of the buyer.
    pub(super) is_erased: bool,
    pub(crate) stage: Stage<String>,
    /// The record of the payment's creation.
    pub(crate) record: Option<Record>,
    pub(super) fingerprint: String,
    pub(crate) begun_at: Millis,
    pub(super) lease: StoredLease,
    pub(crate) called_at: Millis,
    /// The last event when the create request was sent.
    pub(crate) called_after: i64,
    pub(super) settles_at: Millis,
    pub(super) failure: Option<ProblemCode>,
    pub(super) kept_until: Millis,
}

impl StoredAttempt {
    pub(crate) fn payment(&self) -> Option<&String> {
        match &self.stage {
            Stage::Created(id) | Stage::Cancelling(id, _) => Some(id),
            Stage::Ended(id) => id.as_ref(),
            Stage::Requested(_) | Stage::Contradictory(_) | Stage::Refused => None,
        }
    }

    pub(crate) fn is_for(&self, request: &CreatePayment) -> bool {
        self.fingerprint == fingerprint(request)
    }

    /// The request as it was sent, with the data of the buyer.
    pub(crate) fn sent(&self) -> Option<&CreatePayment> {
        self.request.as_ref().filter(|_| !self.is_erased)
    }

    /// Whether the payment was created elsewhere and is only being cancelled here.
    pub(super) fn is_foreign(&self) -> bool {
        self.fingerprint.is_empty()
    }

    /// The name of the stage in its column.
    pub(super) fn stage_name(&self) -> &'static str {
        match &self.stage {
            Stage::Created(_) if self.duplicate_of.is_some() => "duplicate",
            stage => stage.into(),
        }
    }
}

impl FromRow<'_, AnyRow> for StoredAttempt {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let failure: Option<String> = row.try_get("failure")?;
        let request: String = row.try_get("request")?;
        let request = (!request.is_empty()).then(|| from_json(&request));
        let record: Option<String> = row.try_get("record")?;
        let record: Option<Record> = record.as_deref().map(from_json).transpose()?;
        Ok(Self {
            id: row.try_get("id")?,
            order_id: row.try_get("order_id")?,
            duplicate_of: row.try_get("duplicate_of")?,
            request: request.transpose()?,
            is_erased: row.try_get::<i64, _>("erased")? == 1,
            stage: stage(row, record.as_ref())?,
            record,
            fingerprint: row.try_get("fingerprint")?,
            begun_at: row.try_get("begun_at")?,
            lease: StoredLease::from_row(row)?,
            called_at: row.try_get("called_at")?,
            called_after: row.try_get("called_after")?,
            settles_at: row.try_get("settles_at")?,
            failure: failure.map(ProblemCode::from),
            kept_until: row.try_get("kept_until")?,
        })
    }
}

fn stage(row: &AnyRow, record: Option<&Record>) -> sqlx::Result<Stage<String>> {
    let id: Option<String> = row.try_get("transaction_id")?;
    let payment = || id.clone().ok_or_else(|| undecodable("a payment has no id"));
    Ok(match &*row.try_get::<String, _>("stage")? {
        "requested" => Stage::Requested(Asked::Unanswered),
        "created" | "duplicate" => Stage::Created(payment()?),
        "cancelling" if row.try_get::<i64, _>("cancel_answered")? == 1 => {
            Stage::Cancelling(payment()?, Asked::Answered)
        }
        "cancelling" => Stage::Cancelling(payment()?, Asked::Unanswered),
        "ended" => Stage::Ended(id),
        // The payment may belong to another attempt, so its id is only in the record.
        "contradictory" => Stage::Contradictory(
            record
                .and_then(tender_ledger::transaction_id)
                .unwrap_or_default(),
        ),
        "refused" => Stage::Refused,
        other => return Err(undecodable(format!("unknown stage {other}"))),
    })
}

pub(super) fn from_json<T: DeserializeOwned>(json: &str) -> sqlx::Result<T> {
    serde_json::from_str(json).map_err(undecodable)
}
