//! Stores what the ledger decides: the newest state is read, decided on and written in one transaction.

use tender_ledger::{
    Action, Answer, Attempt, Created, Decision, Evidence, Found, Goal, Meaning, Owner, Refusal,
    Stage, Standing, decide,
};
use tender_protocol::{ProblemCode, Record};

use super::find::owner;
use super::stored::{StoredAttempt, to_json};
use super::{Held, REFUSED_RETENTION, RETENTION, statements};
use crate::clock::Millis;
use crate::store::database::{Error, FromRow, Result, Row, Session, query};
use crate::store::lease::Lease;
use crate::store::{Store, Transaction, payments};

/// A piece of evidence, and what is stored with it.
#[derive(Clone, Debug)]
pub(crate) struct News {
    pub(crate) evidence: Evidence<String>,
    pub(crate) record: Option<Record>,
    /// What the status of that record means.
    pub(crate) meaning: Meaning,
    /// When the record was asked for.
    pub(crate) read_at: Millis,
    pub(crate) failure: Option<ProblemCode>,
}

impl News {
    /// Evidence without a record.
    pub(crate) fn of(evidence: Evidence<String>) -> Self {
        Self {
            evidence,
            record: None,
            meaning: Meaning::NotMapped,
            read_at: 0,
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
        if news.evidence == Evidence::New {
            // The insert has stored the stage and when the service is called.
            return Ok(Action::Create);
        }
        let mut step = Step {
            tx: self.transaction().await?,
            attempt: held.attempt.clone(),
            lease: held.lease,
        };
        let action = step.run(goal, news).await?;
        step.tx.commit().await?;
        held.settles_at = step.lease.granted().instant(step.attempt.settles_at);
        (held.attempt, held.lease) = (step.attempt, step.lease);
        Ok(action)
    }
}

/// The transaction that stores a decision.
struct Step {
    tx: Transaction,
    attempt: StoredAttempt,
    lease: Lease,
}

impl Step {
    async fn run(&mut self, goal: &Goal<String>, news: &News) -> Result<Action<String>> {
        self.lock().await?;
        self.store_listed(news).await?;
        let evidence = self.owned(&news.evidence).await?;
        let id = match &evidence {
            Evidence::Searched(Found::One(id)) => Some(id),
            _ => self.attempt.payment(),
        };
        let attempt = Attempt {
            standing: standing(&mut self.tx, &self.attempt, id).await?,
            stage: self.attempt.stage.clone(),
        };
        let Decision { stage, action, .. } = decide(&attempt, goal, &evidence);
        if matches!(action, Action::Create | Action::Cancel(_))
            && self.lease.until() < self.tx.clock.now
        {
            // What the list showed is too old to act on.
            return Err(Error::LeaseLost);
        }
        self.write(stage, &action, news).await?;
        if *goal == Goal::Release {
            let release = query!(statements::RELEASE, &*self.attempt.id);
            self.tx.execute(release).await?;
        } else {
            let is_asked_now = matches!(evidence, Evidence::Cancelled(_) | Evidence::Confirmed(_));
            self.end_payment(&attempt.stage, is_asked_now, &action)
                .await?;
        }
        Ok(action)
    }

    /// Locks the payment: no mark and no change of it is stored before the decision.
    async fn lock(&mut self) -> Result<()> {
        if self.attempt.payment().is_none() {
            return Ok(());
        }
        let values = [self.attempt.id.clone().into(), self.lease.until().into()];
        let (lease, renew) = (self.lease, statements::RENEW);
        lease.write(&mut self.tx, renew, values).await?;
        payments::lock(&mut self.tx).await
    }

    /// Stores a record of the list, unless a newer one is stored.
    async fn store_listed(&mut self, news: &News) -> Result<()> {
        let (Evidence::Listed(_) | Evidence::Confirmed(_), Some(record), Some(id)) =
            (&news.evidence, &news.record, self.attempt.payment())
        else {
            return Ok(());
        };
        let change = payments::ListedChange {
            transaction_id: id.clone(),
            record: payments::text(record)?,
            meaning: news.meaning,
        };
        payments::store_listed(&mut self.tx, &[change], news.read_at).await
    }

    /// The evidence. If another attempt has the payment, a search is unclear, and a response is contradictory, as it is for a
    /// payment that has ended. A payment that the search has found is no late duplicate any more.
    async fn owned(&mut self, evidence: &Evidence<String>) -> Result<Evidence<String>> {
        let (Evidence::Searched(Found::One(id)) | Evidence::Created(Created::Payment(id))) =
            evidence
        else {
            return Ok(evidence.clone());
        };
        let is_free = owner(&mut self.tx, id, &self.attempt.id).await? == Owner::None;
        if matches!(evidence, Evidence::Searched(_)) {
            if !is_free {
                return Ok(Evidence::Searched(Found::Unclear));
            }
            let late = query!(statements::DELETE_DUPLICATE, &**id, &*self.attempt.id);
            self.tx.execute(late).await?;
            return Ok(evidence.clone());
        }
        let known = payments::latest(&mut self.tx, id).await?;
        if is_free && known.is_none_or(|known| known.ending.is_none()) {
            return Ok(evidence.clone());
        }
        Ok(Evidence::Created(Created::Contradictory(id.clone())))
    }

    /// Writes the new stage under the lease, and the times at which the service is called.
    async fn write(
        &mut self,
        stage: Stage<String>,
        action: &Action<String>,
        news: &News,
    ) -> Result<()> {
        let (clock, settings) = (self.tx.clock, self.tx.settings);
        let is_unclear = news.evidence == Evidence::Created(Created::Unclear);
        let had_payment = self.attempt.payment().is_some();
        self.attempt.stage = stage;
        if !had_payment && news.record.is_some() {
            self.attempt.record.clone_from(&news.record);
        }
        match action {
            Action::Create => {
                self.attempt.called_at = clock.now;
                self.attempt.settles_at = clock.after(settings.until_settled());
            }
            Action::Answer(_) if is_unclear => {
                self.attempt.settles_at = clock.after(settings.settle);
            }
            _ => {}
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
        let attempt = &self.attempt;
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
            (if is_over { 0 } else { renewed.until() }).into(),
            attempt.called_at.into(),
            attempt.settles_at.into(),
            clock.now.into(),
            clock.after(RETENTION).into(),
            clock.after(REFUSED_RETENTION).into(),
        ];
        let (lease, write) = (self.lease, statements::WRITE);
        lease.write(&mut self.tx, write, values).await?;
        if attempt.is_foreign() && is_over && matches!(attempt.stage, Stage::Created(_)) {
            let delete = query!(statements::DELETE, &*attempt.id);
            self.tx.execute(delete).await?;
        }
        self.lease = renewed;
        Ok(())
    }

    /// Tracks a payment of a new stage, or stores that it has or may have ended.
    async fn end_payment(
        &mut self,
        before: &Stage<String>,
        is_asked_now: bool,
        action: &Action<String>,
    ) -> Result<()> {
        let Some(id) = self.attempt.payment() else {
            return Ok(());
        };
        let tx = &mut self.tx;
        match (before, &self.attempt.stage) {
            (Stage::Requested(_), Stage::Created(_)) => {
                let record = self.attempt.record.as_ref();
                let record = record.map(payments::text).transpose()?.unwrap_or_default();
                payments::add_payment(tx, id, &record).await
            }
            // Its event is written later: with the outcome, or when the work ends without one.
            (Stage::Created(_), Stage::Cancelling(..)) => {
                let unknown = query!(statements::SET_UNKNOWN, &**id);
                tx.execute(unknown).await.map(drop)
            }
            (Stage::Cancelling(..), Stage::Cancelling(..))
                if is_asked_now && matches!(action, Action::Answer(_)) =>
            {
                payments::announce(tx, id).await
            }
            (before, after) if before == after => Ok(()),
            stages => payments::follow_stage(tx, id, stages.into()).await,
        }
    }
}

/// What is stored of a payment and of the order of its attempt.
pub(super) async fn standing(
    session: &mut Session,
    attempt: &StoredAttempt,
    transaction_id: Option<&String>,
) -> Result<Standing> {
    if transaction_id.is_none() && attempt.order_id.is_none() {
        return Ok(Standing::default());
    }
    let standing = query!(
        statements::STANDING,
        transaction_id.cloned(),
        attempt.order_id.clone(),
        &*attempt.id,
    );
    Ok(session.row(standing).await?.unwrap_or_default())
}

impl FromRow for Standing {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            ending: payments::ending(row)?,
            has_moved: row.try_get::<i64>("has_moved")? > 0,
            is_marked: row.try_get::<i64>("marks")? > 0,
            is_order_seen: row.try_get::<i64>("seen")? > 0,
        })
    }
}
