//! Stores what the ledger decides: the newest state is read, decided on and written in one transaction.

use sqlx::Row as _;
use tender_ledger::{
    Action, Answer, Created, Evidence, Facts, Found, Goal, Listed, Meaning, OrderFacts, OrderMoney,
    Owner, Refusal, Stage, decide,
};
use tender_protocol::{ProblemCode, Record};

use super::find::owner;
use super::stored::StoredAttempt;
use super::{Held, REFUSED_RETENTION, statements};
use crate::store::database::{Error, Result, Session, query};
use crate::store::payments::Source;
use crate::store::{RETENTION, Store, Transaction, payments, to_json};

/// A piece of evidence, and what is stored with it.
#[derive(Clone, Debug)]
pub(crate) struct News {
    pub(crate) evidence: Evidence<String>,
    pub(crate) record: Option<Record>,
    /// What the status of that record means.
    pub(crate) meaning: Meaning,
    /// The last event when the record was asked for.
    pub(crate) asked_after: i64,
    pub(crate) failure: Option<ProblemCode>,
}

impl News {
    /// Evidence without a record.
    pub(crate) fn of(evidence: Evidence<String>) -> Self {
        Self {
            evidence,
            record: None,
            meaning: Meaning::NotMapped,
            asked_after: 0,
            failure: None,
        }
    }
}

impl Store {
    /// Decides what follows from the news, stores it, and returns what to do next. An answer releases the lease; before
    /// anything else, the lease is extended for another call.
    ///
    /// # Errors
    /// [`Error::LeaseLost`] if another request has taken the attempt over. Then nothing is stored.
    pub(crate) async fn decide(
        &self,
        held: &mut Held,
        goal: &Goal<String>,
        news: &News,
    ) -> Result<Action<String>> {
        let mut is_again = false;
        loop {
            let (mut tx, mut next) = (self.transaction().await?, held.clone());
            match next.decide(&mut tx, goal, news).await {
                // Another attempt has got the payment meanwhile.
                Err(Error::Taken(_)) if !is_again => is_again = true,
                decided => {
                    let action = decided?;
                    tx.commit().await?;
                    *held = next;
                    return Ok(action);
                }
            }
        }
    }
}

/// What a decision stores in its transaction.
impl Held {
    async fn decide(
        &mut self,
        tx: &mut Transaction,
        goal: &Goal<String>,
        news: &News,
    ) -> Result<Action<String>> {
        self.lock(tx).await?;
        let evidence = match &news.evidence {
            // A record that contradicts the payment says nothing.
            Evidence::Listed(_) if !self.store_listed(tx, news).await? => {
                Evidence::Listed(Listed::Unclear)
            }
            Evidence::Confirmed(_) if !self.store_listed(tx, news).await? => {
                Evidence::Confirmed(Listed::Unclear)
            }
            evidence => self.owned(tx, evidence.clone()).await?,
        };
        let id = match &evidence {
            Evidence::Searched(Found::One(id)) => Some(id),
            _ => self.attempt.payment(),
        };
        let facts = order_facts(tx, &self.attempt, id).await?;
        let before = self.attempt.stage.clone();
        let (stage, action) = decide(&before, facts, goal, &evidence);
        if matches!(action, Action::Create | Action::Cancel(_)) && self.lease.until() < tx.clock.now
        {
            // What the list showed is too old to act on.
            return Err(Error::LeaseLost);
        }
        self.write(tx, stage, &action, news).await?;
        if *goal == Goal::Release {
            let release = query!(statements::RELEASE, &*self.attempt.id);
            tx.execute(release).await?;
            if let Some(id) = self.attempt.payment() {
                payments::release(tx, id).await?;
            }
        } else {
            self.end_payment(tx, &before, &evidence, &action).await?;
            if matches!(evidence, Evidence::Searched(_)) {
                // It may have been paid before the database was restored.
                self.store_listed(tx, news).await?;
            }
        }
        Ok(action)
    }

    /// Locks the payment: no mark and no change of it is stored before the decision.
    async fn lock(&self, tx: &mut Transaction) -> Result<()> {
        if self.attempt.payment().is_none() {
            return Ok(());
        }
        let values = [self.attempt.id.clone().into(), self.lease.until().into()];
        self.lease.write(tx, statements::RENEW, values).await?;
        payments::lock(tx).await
    }

    /// Stores the record of the payment that the list showed, unless a newer one is stored. Returns whether it is the payment's.
    async fn store_listed(&self, tx: &mut Transaction, news: &News) -> Result<bool> {
        let (Some(record), Some(id)) = (&news.record, self.attempt.payment()) else {
            return Ok(true);
        };
        let change = payments::ListedChange {
            transaction_id: id.clone(),
            listed: record.clone(),
            meaning: news.meaning,
        };
        payments::store_listed(tx, change, news.asked_after).await
    }

    /// The evidence. If another attempt has the payment, a search is unclear, and a response is contradictory, as it is for a
    /// payment that the list showed before the request. A payment that the search has found is no late duplicate any more.
    async fn owned(
        &self,
        tx: &mut Transaction,
        evidence: Evidence<String>,
    ) -> Result<Evidence<String>> {
        let (Evidence::Searched(Found::One(id)) | Evidence::Created(Created::Payment(id))) =
            &evidence
        else {
            return Ok(evidence);
        };
        let own = &*self.attempt.id;
        let is_free = owner(tx, id, own).await? == Owner::None;
        if matches!(evidence, Evidence::Searched(_)) {
            if !is_free {
                return Ok(Evidence::Searched(Found::Unclear));
            }
            let late = query!(statements::DELETE_DUPLICATE, &**id, own);
            tx.execute(late).await?;
            return Ok(evidence);
        }
        if is_free && !payments::was_listed_before(tx, id, own).await? {
            return Ok(evidence);
        }
        Ok(Evidence::Created(Created::Contradictory(id.clone())))
    }

    /// Writes the new stage under the lease, and the times at which the service is called.
    async fn write(
        &mut self,
        tx: &mut Transaction,
        stage: Stage<String>,
        action: &Action<String>,
        news: &News,
    ) -> Result<()> {
        let clock = tx.clock;
        let is_unclear = news.evidence == Evidence::Created(Created::Unclear);
        let had_payment = self.attempt.payment().is_some();
        self.attempt.stage = stage;
        // Of a payment that was created elsewhere, nothing else is stored.
        if news.record.is_some() && (!had_payment || self.attempt.is_foreign()) {
            self.attempt.record.clone_from(&news.record);
        }
        let settles_after = match action {
            Action::Create => {
                self.attempt.called_at = clock.now;
                Some(tx.config.upstream.until_settled())
            }
            Action::Answer(_) if is_unclear => Some(tx.config.upstream.settle),
            _ => None,
        };
        if let Some(after) = settles_after {
            self.attempt.settles_at = clock.after(after);
            self.settled = clock.read_at + after;
        }
        self.attempt.failure = match action {
            Action::Answer(Answer::Failed) => news.failure,
            Action::Answer(Answer::Refused(Refusal::Unidentified)) => {
                Some(news.failure.unwrap_or(ProblemCode::PaymentUnidentified))
            }
            Action::Answer(Answer::Refused(Refusal::Contradictory)) => {
                Some(ProblemCode::PaymentContradictory)
            }
            _ => None,
        };
        let is_over = matches!(action, Action::Answer(_));
        let renewed = self.lease.renewed(clock);
        let lease = if is_over {
            renewed.released()
        } else {
            renewed.stored()
        };
        let attempt = &self.attempt;
        let retention = if attempt.is_erased {
            tx.config.store.memory()
        } else {
            RETENTION
        };
        let is_answered = matches!(
            attempt.stage,
            Stage::Cancelling(_, tender_ledger::Asked::Answered)
        );
        let values = [
            attempt.id.clone().into(),
            attempt.stage_name().into(),
            i64::from(is_answered).into(),
            attempt.payment().cloned().into(),
            attempt.record.as_ref().map(to_json).transpose()?.into(),
            attempt.failure.map(ProblemCode::as_str).into(),
            lease.until.into(),
            attempt.called_at.into(),
            attempt.settles_at.into(),
            clock.now.into(),
            clock.kept_for(retention).into(),
            clock.kept_for(REFUSED_RETENTION).into(),
            i64::from(*action == Action::Create).into(),
        ];
        self.lease.write(tx, statements::WRITE, values).await?;
        tx.observed
            .add(attempt, lease, [renewed.ends(), self.settled]);
        if attempt.is_foreign() && is_over && matches!(attempt.stage, Stage::Created(_)) {
            let delete = query!(statements::DELETE, &*attempt.id);
            tx.execute(delete).await?;
        }
        self.lease = renewed;
        Ok(())
    }

    /// Tracks a payment of a new stage, or stores that it has or may have ended.
    async fn end_payment(
        &self,
        tx: &mut Transaction,
        before: &Stage<String>,
        evidence: &Evidence<String>,
        action: &Action<String>,
    ) -> Result<()> {
        let Some(id) = self.attempt.payment() else {
            return Ok(());
        };
        match (before, &self.attempt.stage) {
            (Stage::Requested(_), Stage::Created(_)) => {
                let record = self.attempt.record.as_ref();
                let record = record.map(to_json).transpose()?.unwrap_or_default();
                let source = match evidence {
                    Evidence::Searched(_) => Source::Search,
                    _ => Source::Response,
                };
                payments::add_payment(tx, id, &record, source).await
            }
            (Stage::Created(_), Stage::Cancelling(..)) => payments::set_unknown(tx, id).await,
            (Stage::Cancelling(..), Stage::Cancelling(..))
                if matches!(action, Action::Answer(_)) =>
            {
                payments::tell_shop(tx, id).await
            }
            (before, after) if before == after => Ok(()),
            stages => payments::follow_stage(tx, id, stages.into()).await,
        }
    }
}

/// What is stored of a payment and of the order of its attempt.
pub(super) async fn order_facts(
    session: &mut Session,
    attempt: &StoredAttempt,
    transaction_id: Option<&String>,
) -> Result<OrderFacts> {
    if transaction_id.is_none() && attempt.order_id.is_none() {
        return Ok(OrderFacts::default());
    }
    let find = query!(
        statements::ORDER_FACTS,
        transaction_id.cloned(),
        attempt.order_id.clone(),
    );
    let found = session.rows_of(find, |row| {
        let Facts { fate, order, sent } = payments::facts(row)?;
        let own = payments::parse_money(row.try_get("own")?)?;
        Ok(OrderFacts {
            // The record of the payment may no longer be stored.
            fate: fate.or(own.map(OrderMoney::fate)),
            has_moved: row.try_get::<i64, _>("has_moved")? > 0,
            is_marked: sent,
            order,
            is_contradicted: row.try_get::<i64, _>("contradictions")? > 0,
        })
    });
    Ok(found.await?.pop().unwrap_or_default())
}
