//! Finding the attempt of a request, or beginning it.

use std::sync::Arc;

use super::entry::{self, Entry, Stage};
use super::lease::{Lease, take};
use super::{Created, KEPT, Ledger, Terms, Watched, random, statements};
use crate::attempts::{Attempt, IdempotencyKey};
use crate::database::{self, Clock, Millis, Session};
use crate::following;

/// Where a request stands that begins an attempt.
pub(crate) enum Begun {
    /// It was answered before.
    Answered(Created),
    /// Its payment was cancelled, or a later choice of the buyer's took its place.
    Ended,
    /// Someone is at work.
    Busy(Watched),
    /// It is this request's turn to ask the service.
    Mine(Lease),
    /// The order's payment has to be cancelled before there can be another.
    Occupied(Lease),
}

/// Why an attempt can't begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    /// The key came before, with another request.
    #[error("the key belongs to another request")]
    Mismatch,
    #[error("the ledger can't be used: {0}")]
    Database(#[from] database::Error),
    /// What it began is to be seen by another look.
    #[error("another request was quicker")]
    Outrun,
}

impl Ledger {
    /// Finds or begins the attempt of a request that arrived at `arrived`.
    pub(crate) async fn begin(
        &self,
        attempt: &Arc<Attempt>,
        arrived: Millis,
    ) -> Result<Begun, BeginError> {
        loop {
            let (attempt, terms) = (Arc::clone(attempt), self.terms);
            let begun = self.database.run(move |session| {
                Box::pin(async move {
                    let clock = session.clock().await?;
                    let mut beginning = Beginning {
                        session,
                        attempt: &attempt,
                        arrived,
                        clock,
                        terms,
                    };
                    beginning.begin().await
                })
            });
            match begun.await {
                Err(BeginError::Outrun) => {}
                begun => return begun,
            }
        }
    }
}

/// One look for the attempt of a request.
struct Beginning<'s> {
    session: &'s mut Session,
    attempt: &'s Attempt,
    arrived: Millis,
    clock: Clock,
    terms: Terms,
}

impl Beginning<'_> {
    async fn begin(&mut self) -> Result<Begun, BeginError> {
        let mut begun = match &self.attempt.key {
            Some(key) => self.by_key(key).await?,
            None => None,
        };
        if begun.is_none() {
            begun = self.by_order().await?;
        }
        match begun {
            Some(Begun::Answered(created)) => {
                // It may have been forgotten meanwhile.
                let record = entry::to_json(&created.record)?;
                let (id, first_look) = (&created.transaction_id, self.terms.first_look);
                following::know(self.session, self.clock, id, &record, first_look).await?;
                Ok(Begun::Answered(created))
            }
            Some(begun) => Ok(begun),
            None => Ok(Begun::Mine(self.insert(Stage::Asking).await?)),
        }
    }

    async fn by_key(&mut self, key: &IdempotencyKey) -> Result<Option<Begun>, BeginError> {
        let read = |row: &database::Row<'_>| Ok((Entry::read(row)?, row.text("key_request")?));
        let values = [key.as_str().into()];
        let found = self.session.row(statements::BY_KEY, &values, read).await?;
        let Some((entry, request)) = found else {
            return Ok(None);
        };
        let free = matches!(entry.stage, Stage::Refused);
        if !free && request != self.attempt.request {
            return Err(BeginError::Mismatch);
        }
        self.keep(&entry).await?;
        Ok(match entry.stage {
            Stage::Answered(created) => Some(Begun::Answered(created)),
            Stage::Asking => Some(self.take_over(entry).await?),
            Stage::Cancelling(_) | Stage::Ended(_) => Some(Begun::Ended),
            Stage::Refused => None,
        })
    }

    async fn by_order(&mut self) -> Result<Option<Begun>, BeginError> {
        let attempt = self.attempt;
        let Some(order) = &attempt.order else {
            return Ok(None);
        };
        let values = [(&order.id).into()];
        let found = self
            .session
            .row(statements::OPEN_OF_ORDER, &values, Entry::read);
        let Some(entry) = found.await? else {
            return Ok(None);
        };
        self.keep(&entry).await?;
        let same = entry.choice == attempt.choice;
        if same && matches!(entry.stage, Stage::Answered(_) | Stage::Asking) {
            if let Some(key) = &attempt.key {
                self.name(key, &entry.id).await?;
            }
            return Ok(Some(match entry.stage {
                Stage::Answered(created) => Begun::Answered(created),
                _ => self.take_over(entry).await?,
            }));
        }
        if !same && entry.begun_at > self.arrived {
            // This request waited, and meanwhile the buyer chose otherwise: so it is for its key,
            // whenever another copy of it comes.
            if attempt.key.is_some() {
                self.insert(Stage::Ended(None)).await?;
            }
            return Ok(Some(Begun::Ended));
        }
        let watched = Watched::new(&entry, false);
        let taken = take(self.session, entry, self.clock, self.terms).await?;
        Ok(Some(taken.map_or(Begun::Busy(watched), Begun::Occupied)))
    }

    /// Keeps all attempts of an order for as long as it can be paid.
    async fn keep(&mut self, entry: &Entry) -> database::Result<()> {
        if let Some(order) = &self.attempt.order
            && entry.kept_until < order.payable_until
        {
            let values = [(&order.id).into(), order.payable_until.into()];
            self.session.execute(statements::KEEP, &values).await?;
        }
        Ok(())
    }

    /// Takes an attempt whose holder is gone.
    async fn take_over(&mut self, entry: Entry) -> database::Result<Begun> {
        let watched = Watched::new(&entry, true);
        let taken = take(self.session, entry, self.clock, self.terms).await?;
        Ok(taken.map_or(Begun::Busy(watched), Begun::Mine))
    }

    /// Writes a new attempt. Where the order or the key has one meanwhile, nothing of it is kept.
    async fn insert(&mut self, stage: Stage) -> Result<Lease, BeginError> {
        let (attempt, clock) = (self.attempt, self.clock);
        let order = attempt.order.as_ref();
        let entry = Entry {
            id: id(clock)?,
            request: attempt.payment.clone(),
            signed: order.is_some(),
            stage,
            choice: attempt.choice.clone(),
            begun_at: self.arrived,
            fence: 1,
            lease_until: clock.after(self.terms.lease()),
            asked_at: clock.now,
            settles_at: clock.after(self.terms.settled()),
            failure: None,
            kept_until: clock
                .after(KEPT)
                .max(order.map_or(0, |order| order.payable_until)),
        };
        let request = entry::to_json(&entry.request)?;
        let values = [
            (&entry.id).into(),
            order.map(|order| &order.id).into(),
            (&entry.choice).into(),
            (&request).into(),
            entry.begun_at.into(),
            entry.stage.columns()?.stage.into(),
            entry.lease_until.into(),
            entry.asked_at.into(),
            entry.settles_at.into(),
            entry.kept_until.into(),
        ];
        let mut written = self.session.execute(statements::INSERT, &values).await?;
        if let (1, Some(key)) = (written, &attempt.key) {
            written = self.name(key, &entry.id).await?;
        }
        match written {
            1 => Ok(Lease::new(entry, clock, false)),
            _ => Err(BeginError::Outrun),
        }
    }

    async fn name(&mut self, key: &IdempotencyKey, id: &str) -> database::Result<u64> {
        let values = [
            key.as_str().into(),
            (&self.attempt.request).into(),
            id.into(),
        ];
        self.session.execute(statements::NAME, &values).await
    }
}

/// A name for an attempt: in the order of time, so that new rows stand side by side in the database and
/// share its pages; and random.
fn id(clock: Clock) -> database::Result<String> {
    Ok(format!("{:012x}{}", clock.now, random::<10>()?))
}
