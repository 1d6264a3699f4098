//! Finds or creates the attempt of a request, and its lease.

use sqlx::{FromRow as _, Row as _};
use tender_ledger::{Action, Answer, Asked, Evidence, Goal, Refusal, Stage};
use tender_protocol::ProblemCode;

use super::attempt::{fingerprint, invoice_id, listed_ids, request_digest};
use super::decide::order_facts;
use super::stored::StoredAttempt;
use super::{IdempotencyKey, NewAttempt, Order, statements};
use crate::clock::Instant;
use crate::store::database::{Error, Result, query};
use crate::store::lease::Lease;
use crate::store::{RETENTION, Store, Transaction, new_id, to_json};

/// The record of a payment that was created elsewhere: the status that the service documents for a new one.
const CREATED: &str = r#"{"statusId":"1","statusText":"Created"}"#;

/// What a request has to do next.
pub(crate) enum Begun {
    /// Answer by what is stored.
    Answered(Answer, Box<StoredAttempt>),
    /// Wait: another request holds the lease.
    Waiting(HeldLease),
    /// Answer with this problem: it is the result of the request that this one waited for.
    Failed(ProblemCode),
    /// Work on the attempt: this request holds the lease.
    Held(Box<Held>, Goal<String>),
    /// Refuse: the idempotency key was used before with a different request.
    Mismatch,
}

/// A lease that another request holds.
pub(crate) struct HeldLease {
    pub(crate) id: String,
    pub(super) fence: i64,
    /// Whether it is for the same payment, so that its result also answers this request.
    pub(super) same: bool,
}

/// An attempt whose lease is granted. If it is dropped before an answer is stored, the attempt can be resumed after the
/// lease has expired.
#[derive(Clone)]
pub(crate) struct Held {
    pub(crate) attempt: StoredAttempt,
    pub(crate) lease: Lease,
    /// The time after which a payment that is missing from the service's list will not appear any more.
    pub(crate) settled: Instant,
    /// Whether a backup may lack a payment of its order, so that the list is searched before the service is asked.
    is_searched_first: bool,
}

impl StoredAttempt {
    /// The problem that this lease ended with, if the request that waited for it asked for the same payment.
    fn failure_after(&self, waited: &HeldLease) -> Option<ProblemCode> {
        let ended = waited.same && self.id == waited.id && self.lease.is_released(waited.fence);
        self.failure.filter(|_| ended)
    }
}

impl Held {
    /// What to do for an attempt that was stored just now, to ask the service for its payment; `None` for an older one.
    pub(crate) fn first_action(&self) -> Option<Action<String>> {
        let is_new = self.attempt.stage == Stage::Requested(Asked::First);
        is_new.then_some(if self.is_searched_first {
            Action::Search
        } else {
            Action::Create
        })
    }
}

impl Store {
    /// Finds or creates the attempt of a request, which may have waited for this lease of another one. Every request that
    /// waited for the same call gets its result.
    pub(crate) async fn begin_create(
        &self,
        attempt: &NewAttempt,
        waited: Option<&HeldLease>,
    ) -> Result<Begun> {
        loop {
            let mut tx = self.transaction().await?;
            if let Some(begun) = begin(&mut tx, attempt).await? {
                if let (Begun::Held(held, _), Some(waited)) = (&begun, waited)
                    && let Some(failure) = held.attempt.failure_after(waited)
                {
                    // Without a commit, the lease is not taken.
                    return Ok(Begun::Failed(failure));
                }
                tx.commit().await?;
                return Ok(begun);
            }
        }
    }

    /// Finds the attempt that has a payment, to work on it for a goal. A payment without an attempt was created elsewhere. Then an
    /// attempt is stored if the goal is to cancel it; otherwise the result is `None`.
    pub(crate) async fn begin_for_payment(
        &self,
        transaction_id: &str,
        goal: Goal<String>,
    ) -> Result<Option<Begun>> {
        let mut tx = self.transaction().await?;
        let find = query!(statements::BY_TRANSACTION, transaction_id);
        let mut stored = tx.row::<StoredAttempt>(find).await?;
        if stored.is_none() && goal == Goal::Release {
            stored = contradictory(&mut tx, transaction_id).await?;
        }
        let stored = match (stored, &goal) {
            (Some(stored), _) => stored,
            (None, Goal::Cancel(_)) => insert_foreign(&mut tx, transaction_id).await?,
            (None, _) => return Ok(None),
        };
        let begun = enter(&mut tx, stored, goal).await?;
        tx.commit().await?;
        Ok(Some(begun))
    }

    /// Extends the lease if it might expire during another call.
    ///
    /// # Errors
    /// [`LeaseLost`](crate::store::database::Error::LeaseLost) if another request has taken the attempt over.
    pub(crate) async fn renew_attempt(&self, held: &mut Held) -> Result<()> {
        let id = held.attempt.id.clone().into();
        self.renew(&mut held.lease, statements::RENEW, [id]).await
    }
}

/// The attempt whose response has this payment, and contradicts its request.
async fn contradictory(
    tx: &mut Transaction,
    transaction_id: &str,
) -> Result<Option<StoredAttempt>> {
    let unresolved = query!(statements::REQUESTED_OR_CANCELLING);
    let mut attempts = tx.rows::<StoredAttempt>(unresolved).await?.into_iter();
    let is_it = Stage::Contradictory(transaction_id.to_owned());
    Ok(attempts.find(|attempt| attempt.stage == is_it))
}

/// Answers by what is stored if that changes nothing, or acquires the lease.
async fn enter(tx: &mut Transaction, stored: StoredAttempt, goal: Goal<String>) -> Result<Begun> {
    let facts = order_facts(tx, &stored, stored.payment()).await?;
    let decided = tender_ledger::decide(&stored.stage, facts, &goal, &Evidence::Resumed);
    if let (stage, Action::Answer(answer)) = decided
        && stage == stored.stage
        && goal != Goal::Release
    {
        return Ok(Begun::Answered(answer, Box::new(stored)));
    }
    let other = HeldLease {
        id: stored.id.clone(),
        fence: stored.lease.fence,
        same: goal == Goal::Create,
    };
    let held = acquire(tx, stored).await?;
    Ok(held.map_or(Begun::Waiting(other), |held| {
        Begun::Held(Box::new(held), goal)
    }))
}

/// Stores a payment that was created elsewhere, while it is being cancelled. Another request may have stored it just now.
async fn insert_foreign(tx: &mut Transaction, transaction_id: &str) -> Result<StoredAttempt> {
    let clock = tx.clock;
    let insert = query!(
        statements::INSERT_FOREIGN,
        new_id(clock.now)?,
        transaction_id,
        CREATED,
        clock.now,
        clock.kept_for(RETENTION),
    );
    tx.execute(insert).await?;
    let find = query!(statements::BY_TRANSACTION, transaction_id);
    tx.row(find).await?.ok_or(Error::LeaseLost)
}

/// Finds or creates an attempt; `None` if another request has created it meanwhile, so that it is found now.
async fn begin(tx: &mut Transaction, attempt: &NewAttempt) -> Result<Option<Begun>> {
    if let Some(key) = &attempt.key
        && let Some(begun) = by_key(tx, attempt, key).await?
    {
        return Ok(Some(begun));
    }
    if let Some(begun) = by_order(tx, attempt).await? {
        return Ok(Some(begun));
    }
    let held = insert(tx, attempt).await?;
    Ok(held.map(|held| Begun::Held(Box::new(held), Goal::Create)))
}

async fn by_key(
    tx: &mut Transaction,
    attempt: &NewAttempt,
    key: &IdempotencyKey,
) -> Result<Option<Begun>> {
    let find = query!(statements::BY_KEY, key.as_str());
    let found = tx.rows_of(find, |row| {
        let digest: String = row.try_get("request_digest")?;
        Ok((StoredAttempt::from_row(row)?, digest))
    });
    let Some((stored, digest)) = found.await?.pop() else {
        return Ok(None);
    };
    if stored.stage == Stage::Refused {
        return Ok(None);
    }
    if digest != request_digest(&attempt.payment) {
        return Ok(Some(Begun::Mismatch));
    }
    extend_retention(tx, attempt.order.as_ref(), &stored).await?;
    if matches!(stored.stage, Stage::Cancelling(..)) {
        // The buyer has cancelled this payment or replaced it.
        let ended = Answer::Refused(Refusal::Ended);
        return Ok(Some(Begun::Answered(ended, Box::new(stored))));
    }
    Ok(Some(enter(tx, stored, Goal::Create).await?))
}

async fn by_order(tx: &mut Transaction, attempt: &NewAttempt) -> Result<Option<Begun>> {
    let Some(order) = &attempt.order else {
        return Ok(None);
    };
    let holding = query!(statements::HOLDING_ORDER, &*order.id);
    let Some(stored) = tx.row::<StoredAttempt>(holding).await? else {
        return Ok(None);
    };
    extend_retention(tx, attempt.order.as_ref(), &stored).await?;
    if matches!(stored.stage, Stage::Ended(_)) {
        let seen = query!(statements::COUNT_SEEN, &*order.id);
        let refusal = if tx.number(seen).await? > 0 {
            Refusal::Progressed
        } else {
            Refusal::Unidentified
        };
        let refused = Answer::Refused(refusal);
        return Ok(Some(Begun::Answered(refused, Box::new(stored))));
    }
    if !stored.is_for(&attempt.payment) {
        let mut named = attempt.replaces.iter();
        let named = named.find(|id| stored.payment() == Some(*id));
        let goal = Goal::Replace(named.cloned());
        return Ok(Some(enter(tx, stored, goal).await?));
    }
    let id = stored.id.clone();
    let is_requested = matches!(stored.stage, Stage::Requested(_));
    let begun = enter(tx, stored, Goal::Create).await?;
    let is_shown = matches!(begun, Begun::Answered(Answer::Show(_), _));
    if is_requested || is_shown {
        bind_key(tx, attempt, &id).await?;
    }
    Ok(Some(begun))
}

/// An order that was signed again may expire later; all its attempts are kept until then.
pub(super) async fn extend_retention(
    tx: &mut Transaction,
    order: Option<&Order>,
    stored: &StoredAttempt,
) -> Result<()> {
    let Some(order) = order else { return Ok(()) };
    let until = order.kept_until(tx.clock.lag);
    if stored.kept_until < until {
        let kept_less = query!(statements::KEPT_LESS, &*order.id, until);
        for (id,) in tx.rows::<(String,)>(kept_less).await? {
            let extend = query!(statements::EXTEND_RETENTION, id, until);
            tx.execute(extend).await?;
        }
    }
    Ok(())
}

/// Inserts a new attempt; `None` if the order or the key already has one.
async fn insert(tx: &mut Transaction, attempt: &NewAttempt) -> Result<Option<Held>> {
    let (clock, until_settled) = (tx.clock, tx.config.upstream.until_settled());
    let order = attempt.order.as_ref();
    let lease = Lease::first(clock, tx.config.upstream.timeout);
    let signed = order.map(|order| to_json(&order.signed));
    let kept_until = clock
        .kept_for(RETENTION)
        .max(order.map_or(0, |order| order.kept_until(clock.lag)));
    let mut stored = StoredAttempt {
        id: new_id(clock.now)?,
        order_id: order.map(|order| order.id.clone()),
        duplicate_of: None,
        request: Some(attempt.payment.clone()),
        is_erased: false,
        stage: Stage::Requested(Asked::First),
        record: None,
        fingerprint: fingerprint(&attempt.payment),
        begun_at: clock.now,
        lease: lease.stored(),
        called_at: clock.now,
        called_after: 0,
        settles_at: clock.after(until_settled),
        failure: None,
        kept_until,
    };
    let insert = query!(
        statements::INSERT,
        &*stored.id,
        stored.order_id.clone(),
        &*stored.fingerprint,
        to_json(&attempt.payment)?,
        clock.now,
        lease.until(),
        stored.settles_at,
        kept_until,
        signed.transpose()?,
        order
            .is_none()
            .then(|| invoice_id(&attempt.payment.invoice_number)),
        order.map(|order| listed_ids(&order.signed.invoice_number)),
    );
    let Some((called_after, is_restored)) = tx.row::<(i64, i64)>(insert).await? else {
        return Ok(None);
    };
    stored.called_after = called_after;
    if !bind_key(tx, attempt, &stored.id).await? {
        return Ok(None);
    }
    let settled = clock.read_at + until_settled;
    tx.observed
        .add(&stored, lease.stored(), [lease.ends(), settled]);
    Ok(Some(Held {
        attempt: stored,
        lease,
        settled,
        is_searched_first: is_restored == 1,
    }))
}

/// Binds the key of a request, if it has one. Returns whether the key belongs to this attempt now.
async fn bind_key(tx: &mut Transaction, attempt: &NewAttempt, id: &str) -> Result<bool> {
    let Some(key) = &attempt.key else {
        return Ok(true);
    };
    let digest = request_digest(&attempt.payment);
    let bind = query!(statements::BIND_KEY, key.as_str(), digest, id);
    Ok(tx.execute(bind).await? == 1)
}

/// Acquires the lease of an attempt; `None` if another request holds it.
async fn acquire(tx: &mut Transaction, attempt: StoredAttempt) -> Result<Option<Held>> {
    let (clock, call) = (tx.clock, tx.config.upstream.timeout);
    let until_settled = tx.config.upstream.until_settled();
    let settled = tx.observed.settled(&attempt, clock, until_settled);
    let (id, stored) = (attempt.id.clone(), attempt.lease);
    if tx.observed.ends(&id, stored, clock, call) > Instant::now() {
        return Ok(None);
    }
    let claim = statements::CLAIM_LEASE;
    let lease = stored.claim(tx, clock, call, claim, [id.into()]);
    let Some(lease) = lease.await? else {
        return Ok(None);
    };
    tx.observed
        .add(&attempt, lease.stored(), [lease.ends(), settled]);
    Ok(Some(Held {
        attempt,
        lease,
        settled,
        is_searched_first: false,
    }))
}
