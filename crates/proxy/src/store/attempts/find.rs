//! Finds attempts.

use std::collections::HashSet;
use std::time::Duration;

use tender_ledger::{Owner, Stage};
use tender_protocol::Record;

use super::attempt::invoice_id;
use super::begin::extend_retention;
use super::stored::StoredAttempt;
use super::{Order, statements};
use crate::clock::{Millis, millis};
use crate::store::database::{Result, Session, query};
use crate::store::{Store, payments};

/// How long a payment counts as a new one.
const NEW: Duration = Duration::from_hours(1);

impl Store {
    pub(crate) async fn attempt_of_payment(
        &self,
        transaction_id: &str,
    ) -> Result<Option<StoredAttempt>> {
        self.database
            .row(query!(statements::BY_TRANSACTION, transaction_id))
            .await
    }

    /// The attempt that an order leads to, as [`statements::OF_ORDER`] ranks them. All attempts of the order are kept as long as
    /// its payment can be read.
    pub(crate) async fn attempt_of_order(&self, order: &Order) -> Result<Option<StoredAttempt>> {
        let find = query!(statements::OF_ORDER, &*order.id);
        let found = self.database.row::<StoredAttempt>(find).await?;
        let until = order.kept_until(self.database.lag());
        if let Some(attempt) = found.as_ref().filter(|found| found.kept_until < until) {
            let mut tx = self.transaction().await?;
            extend_retention(&mut tx, Some(order), attempt).await?;
            tx.commit().await?;
        }
        Ok(found)
    }

    /// Those of these payments that an attempt has or had.
    pub(crate) async fn of_attempts(&self, ids: &[&str]) -> Result<HashSet<String>> {
        let mut session = self.database.reader().await?;
        let found = session.rows_in::<(String,)>(statements::OF_ATTEMPTS, ids);
        Ok(found.await?.into_iter().map(|(id,)| id).collect())
    }

    /// Whether money was seen for a payment of an order, which the merchant has not released.
    pub(crate) async fn is_money_seen(&self, order: &Order) -> Result<bool> {
        let count = query!(statements::COUNT_SEEN, &*order.id);
        Ok(self.database.number(count).await? > 0)
    }

    /// The newest date that the service had shown up to an event, as far as that is known: the `createdAt` of a payment that had
    /// changed by then.
    pub(crate) async fn newest_date_before(&self, event: i64) -> Result<Option<String>> {
        let changed = query!(statements::CHANGED_BEFORE, event);
        let changed = self.database.rows::<(String,)>(changed).await?;
        let dates = changed.iter().filter_map(|(json,)| {
            let record = Record::parse(json, "a payment record").ok()?;
            record.text("createdAt")
        });
        Ok(dates.max())
    }

    /// Whether the database was restored from a backup since the service was asked for the payment of an attempt. It may have been
    /// shown meanwhile, and paid.
    pub(crate) async fn was_restored_since(&self, attempt: &StoredAttempt) -> Result<bool> {
        let count = query!(statements::COUNT_RESTORED, attempt.called_after);
        Ok(self.database.number(count).await? > 0)
    }

    /// How many payments were created after this one, up to those on the pages that are read.
    pub(crate) async fn count_later(&self, transaction_id: &str) -> Result<u64> {
        let count = query!(statements::COUNT_LATER, transaction_id);
        Ok(self.database.number(count).await?.unsigned_abs())
    }

    /// A payment that can still be paid and was created in the hour before a time.
    pub(crate) async fn payment_before(&self, then: Millis) -> Result<Option<String>> {
        let newest = query!(
            statements::NEWEST_OPEN,
            then.saturating_sub(millis(NEW)),
            then
        );
        let newest = self.database.row::<(String,)>(newest).await?;
        Ok(newest.map(|(transaction_id,)| transaction_id))
    }

    /// Whose payment this is, seen from an attempt that may have created it. If the list has it with another invoice number, it is
    /// another one's if it was listed before, or if an attempt with that number searches for its own.
    pub(crate) async fn owner_of_payment(
        &self,
        id: &str,
        attempt: &StoredAttempt,
        other_invoice: Option<&str>,
    ) -> Result<Owner> {
        let mut session = self.database.reader().await?;
        let owner = owner(&mut session, id, &attempt.id).await?;
        let (Owner::None, Some(invoice)) = (owner, other_invoice) else {
            return Ok(owner);
        };
        let is_others = is_requested(&mut session, invoice).await?
            || payments::was_listed_before(&mut session, id, &attempt.id).await?;
        Ok(if is_others { Owner::Other } else { owner })
    }
}

pub(super) async fn is_requested(session: &mut Session, invoice_number: &str) -> Result<bool> {
    let count = query!(statements::COUNT_REQUESTED, invoice_id(invoice_number));
    Ok(session.number(count).await? > 0)
}

pub(super) async fn owner(session: &mut Session, id: &str, attempt: &str) -> Result<Owner> {
    let owner = query!(statements::BY_TRANSACTION, id);
    let owner = session.row::<StoredAttempt>(owner).await?;
    let Some(owner) = owner.filter(|owner| owner.id != attempt) else {
        return Ok(Owner::None);
    };
    let is_late = owner.duplicate_of.as_deref() == Some(attempt);
    Ok(if is_late && matches!(owner.stage, Stage::Created(_)) {
        // It was created for this attempt too late, and its cancellation has not begun.
        Owner::None
    } else if owner.is_foreign() && !matches!(owner.stage, Stage::Ended(_)) {
        Owner::Unclear
    } else {
        Owner::Other
    })
}
