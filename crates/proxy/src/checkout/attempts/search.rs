//! Searches the service's list for the payment of an attempt that may have been created.

use tender_protocol::Record;

use super::comparison::{Likeness, compare};
use super::walk::{Start, Walked};
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::identity::is_same_invoice;
use crate::service::ServiceError;
use crate::service::list::Misnumbered;
use crate::statuses::transaction_id;
use crate::store::attempts::{CreatedPayment, Lease, NewPayment, Stage, WriteError};

/// Payments that a search has found, but not recognised with certainty.
#[derive(Default)]
struct Candidates {
    similar: Option<CreatedPayment>,
    /// Names a record that may be the payment.
    possible: Option<String>,
}

impl Payments {
    /// Finds the payment of an attempt whose response was lost. A missing payment counts as not
    /// created only after the service's settle time has passed.
    pub(super) async fn search(
        &self,
        lease: &mut Lease,
    ) -> Result<Option<CreatedPayment>, LeaseError> {
        let checked = self.unread_searches.check(&lease.attempt.id);
        checked.map_err(ServiceError::from)?;
        let found = self.search_until_settled(lease).await;
        if let Err(LeaseError::Failed(Error::Service(error))) = &found
            && matches!(**error, ServiceError::Unread(_))
        {
            self.unread_searches.add(&lease.attempt.id);
        }
        found
    }

    async fn search_until_settled(
        &self,
        lease: &mut Lease,
    ) -> Result<Option<CreatedPayment>, LeaseError> {
        loop {
            let settled = tokio::time::Instant::from_std(lease.settles_at());
            let early = tokio::time::Instant::now() < settled;
            let mut found = self.search_once(lease, Start::Likely).await?;
            if !early {
                if let Some(start) = found.repeat() {
                    found = self.search_once(lease, start).await?;
                }
                if let Some(start) = found.complete() {
                    found = self.search_once(lease, start).await?;
                }
            }
            match found {
                Walked::Found(created) => return Ok(Some(created)),
                Walked::Nothing(_) if early => tokio::time::sleep_until(settled).await,
                Walked::Nothing(_) => return Ok(None),
            }
        }
    }

    /// Searches the list once. Fails if the list may hold the payment, because then no other one may
    /// be created.
    async fn search_once(
        &self,
        lease: &mut Lease,
        start: Start,
    ) -> Result<Walked<CreatedPayment>, LeaseError> {
        let mut walk = self.walk(Some(lease), start).await?;
        let newest = if walk.skips_pages() {
            None
        } else {
            self.store.newest_payment().await?
        };
        let mut page = walk.next(Some(lease)).await?;
        if let Some(newest) = newest {
            self.refuse_misnumbered(page.as_deref().unwrap_or_default(), &newest)
                .await?;
        }
        let mut candidates = Candidates::default();
        while let Some(records) = page {
            for record in records {
                if let Some(created) = self.recognise(lease, &record, &mut candidates).await? {
                    return Ok(Walked::Found(created));
                }
            }
            page = walk.next(Some(lease)).await?;
        }
        let nothing = Walked::Nothing(walk.nothing_found());
        // A skipped page may have the exact one.
        if nothing.complete().is_none()
            && let Some(created) = candidates.only_similar()?
        {
            self.refuse_another_owner(lease, &created).await?;
            if self.take(lease, &created).await? {
                return Ok(Walked::Found(created));
            }
        }
        Ok(nothing)
    }

    /// Returns the payment of a record if it is certainly the attempt's, and makes it that. A payment
    /// that may be the attempt's becomes a candidate.
    async fn recognise(
        &self,
        lease: &mut Lease,
        record: &Record,
        candidates: &mut Candidates,
    ) -> Result<Option<CreatedPayment>, LeaseError> {
        match compare(&lease.attempt, record, &self.statuses) {
            Likeness::Same(created) => {
                return Ok(self.take(lease, &created).await?.then_some(created));
            }
            Likeness::Similar(created) => {
                if !self.is_known(Some(&created.transaction_id)).await? {
                    candidates.add_similar(created);
                }
            }
            Likeness::Possible(id) => {
                if !self.is_known(id.as_deref()).await? {
                    candidates.add_possible(id);
                }
            }
            Likeness::Different => {}
        }
        Ok(None)
    }

    /// Whether a payment can't be the attempt's, because another one has or had it.
    async fn is_known(&self, transaction_id: Option<&str>) -> Result<bool, LeaseError> {
        let Some(id) = transaction_id else {
            return Ok(false);
        };
        Ok(self.store.has_payment(id).await?)
    }

    /// Fails if this can't be the service's first page. "The first page holds the last 20 payments"
    /// (the service's document, "List payments"): it is not empty after a payment was created, and if
    /// it has an older payment, it has that one, too.
    async fn refuse_misnumbered(
        &self,
        first: &[Record],
        newest: &NewPayment,
    ) -> Result<(), LeaseError> {
        let ids: Vec<_> = first.iter().filter_map(transaction_id).collect();
        if ids.contains(&newest.transaction_id) {
            return Ok(());
        }
        let mut sign = first.is_empty().then_some(Misnumbered::Empty);
        for id in ids {
            if self.store.is_before(&id, newest).await? {
                sign = Some(Misnumbered::Missing);
                break;
            }
        }
        match sign {
            None => Ok(()),
            Some(sign) => {
                self.service.misnumbered(sign);
                let newest = &newest.transaction_id;
                Err(unidentified(format!(
                    "the list's first page lacks the newest payment {newest}; check `first_page`"
                )))
            }
        }
    }

    /// Makes a payment the one of the attempt, unless it belongs to another one.
    async fn take(&self, lease: &mut Lease, created: &CreatedPayment) -> Result<bool, LeaseError> {
        let answered = Stage::Created(created.clone());
        match self.store.advance(lease, answered).await {
            Ok(()) => Ok(true),
            Err(WriteError::Claimed) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Fails if a payment whose invoice number is written differently may belong to another order.
    async fn refuse_another_owner(
        &self,
        lease: &Lease,
        created: &CreatedPayment,
    ) -> Result<(), LeaseError> {
        let id = &created.transaction_id;
        let listed = created.record.text("invoiceNumber").unwrap_or_default();
        let others = self.store.other_invoices(&lease.attempt).await?;
        let is_owner = |other: &String| is_same_invoice(other, &listed);
        let may_be_past = self.store.may_be_of_past_order(id, &listed).await;
        if others.iter().any(is_owner) || may_be_past? {
            return Err(unidentified(format!("{id} may be of another order")));
        }
        Ok(())
    }
}

impl Candidates {
    fn add_similar(&mut self, created: CreatedPayment) {
        match &self.similar {
            // A new payment may have moved this one to the next page.
            Some(known) if known.transaction_id == created.transaction_id => {}
            Some(_) => self.add_possible(Some(created.transaction_id)),
            None => self.similar = Some(created),
        }
    }

    fn add_possible(&mut self, id: Option<String>) {
        let id = id.unwrap_or_else(|| "a record that can't be read".to_owned());
        self.possible.get_or_insert(id);
    }

    /// The only payment that the attempt's may be, if there is one.
    fn only_similar(self) -> Result<Option<CreatedPayment>, LeaseError> {
        match self.possible {
            None => Ok(self.similar),
            Some(id) => Err(unidentified(format!("it may be {id}"))),
        }
    }
}

fn unidentified(reason: String) -> LeaseError {
    ServiceError::Unidentified(reason).into()
}
