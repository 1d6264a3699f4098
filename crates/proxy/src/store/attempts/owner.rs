//! Whose payment a record of the service's list is.

use tender_ledger::Owner;

use super::{AttemptStore, StoredAttempt, statements};
use crate::store::database::{Result, Session, query};

impl AttemptStore {
    /// Whose payment this is, seen from an attempt that may have created it.
    pub(crate) async fn owner(&self, id: &str, attempt: &StoredAttempt) -> Result<Owner> {
        let (id, attempt) = (id.to_owned(), attempt.id.clone());
        self.database
            .read(async move |session| of(session, &id, &attempt).await)
            .await
    }
}

pub(super) async fn of(
    session: &mut Session<'_>,
    transaction_id: &str,
    attempt: &str,
) -> Result<Owner> {
    let owner = query!(statements::OWNER, transaction_id, attempt);
    let owner = session
        .row::<(String, String, Option<String>)>(owner)
        .await?;
    Ok(match owner {
        None => Owner::None,
        // It was created for this attempt too late, and its cancellation has not begun.
        Some((stage, _, Some(of))) if of == attempt && stage == "duplicate" => Owner::None,
        Some((stage, fingerprint, _)) if fingerprint.is_empty() && stage != "ended" => {
            Owner::Unclear
        }
        Some(_) => Owner::Other,
    })
}
