//! The loop: store, act, store again. And waiting for another request that works on the same attempt.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use backon::{ExponentialBuilder, Retryable as _};
use tender_ledger::{
    Action, Answer, Cancelled, Created, Evidence, Goal, Listed, Meaning, Refusal, Requester,
    cancelled, contradiction,
};
use tender_protocol::{Payment, ProblemCode, Record};
use tokio::sync::broadcast::Receiver;

use super::Executor;
use crate::clock::Instant;
use crate::error::Error;
use crate::rate_limit::Exceeded;
use crate::service::ServiceError;
use crate::store::attempts::{Begun, Held, NewAttempt, News, StoredAttempt};
use crate::store::database;
use crate::store::lease;

/// The end of the work on an attempt.
pub(super) struct Done {
    pub(super) answer: Answer,
    pub(super) attempt: StoredAttempt,
    /// The call that failed last.
    pub(super) error: Option<Arc<ServiceError>>,
    /// The record that the list showed last.
    pub(super) listed: Option<Record>,
}

impl Done {
    /// Why it is not known what became of the payment.
    pub(super) fn unconfirmed(self) -> Arc<ServiceError> {
        self.error
            .unwrap_or_else(|| ServiceError::Unconfirmed.into())
    }
}

/// The work on an attempt, with its lease.
pub(super) struct Work<'a> {
    pub(super) executor: &'a Executor,
    pub(super) held: Held,
    goal: &'a Goal<String>,
    error: Option<Arc<ServiceError>>,
    pub(super) listed: Option<Record>,
}

/// What a request asks for.
pub(super) enum Task<'a> {
    /// Create the payment of this attempt.
    Create(&'a NewAttempt),
    /// Reach a goal for this payment.
    Payment(&'a str, Goal<String>),
}

impl Executor {
    /// Finds or creates an attempt, and works on it until there is an answer; `None` if no attempt has the payment.
    pub(super) async fn work(&self, task: &Task<'_>) -> Result<Option<Done>, Error> {
        let store = &self.shared.store;
        let mut wait = Wait {
            until: Instant::now() + lease::length(store.config.upstream.timeout) + Wait::MARGIN,
            pause: Duration::from_millis(20),
            ended: self.ended.subscribe(),
        };
        let mut waited = None;
        loop {
            let begun = match task {
                Task::Create(attempt) => Some(store.begin_create(attempt, waited.as_ref()).await?),
                Task::Payment(id, goal) => store.begin_for_payment(id, goal.clone()).await?,
            };
            match begun {
                None => return Ok(None),
                Some(Begun::Answered(answer, stored)) => {
                    return Ok(Some(Done {
                        answer,
                        attempt: *stored,
                        error: None,
                        listed: None,
                    }));
                }
                Some(Begun::Waiting(held)) => {
                    if waited.is_none() {
                        tracing::debug!("another request works on the same attempt; waiting");
                    }
                    wait.for_change(&held.id).await?;
                    waited = Some(held);
                }
                Some(Begun::Failed(code)) => return Err(Error::Problem(code)),
                Some(Begun::Held(held, goal)) => match self.run(*held, &goal).await {
                    Err(Error::Problem(ProblemCode::AttemptInProgress)) => {
                        if matches!(task, Task::Create(_)) {
                            tracing::warn!("another instance took the attempt over; trying again");
                        }
                    }
                    done => return done.map(Some),
                },
                Some(Begun::Mismatch) => return Err(ProblemCode::AttemptMismatch.into()),
            }
        }
    }

    /// Works on an attempt until there is an answer, and releases its lease.
    ///
    /// # Errors
    /// [`ProblemCode::AttemptInProgress`] if another request has taken the attempt over. Its result counts.
    async fn run(&self, held: Held, goal: &Goal<String>) -> Result<Done, Error> {
        let mut work = Work {
            executor: self,
            held,
            goal,
            error: None,
            listed: None,
        };
        let mut action = match work.held.first_action() {
            Some(action) => action,
            None => work.store(News::of(Evidence::Resumed)).await?,
        };
        loop {
            let news = match action {
                Action::Search => work.search().await?,
                Action::Create => work.create().await,
                Action::Read(id) => work.read(&id).await?,
                Action::Cancel(id) => work.cancel(&id).await,
                Action::Confirm(id) => work.confirm(&id).await?,
                Action::Answer(answer) => {
                    // It fails if no request waits, which is no error.
                    let _ = self.ended.send(work.held.attempt.id.clone());
                    return Ok(Done {
                        answer,
                        attempt: work.held.attempt,
                        error: work.error,
                        listed: work.listed,
                    });
                }
            };
            action = work.store(news).await?;
        }
    }
}

impl Work<'_> {
    /// Stores what follows from the news. The result must be stored before the client gets it, so a failed write is retried
    /// until the lease ends.
    async fn store(&mut self, news: News) -> Result<Action<String>, Error> {
        let mut pause = Duration::from_millis(50);
        let until = self.held.lease.finish_by();
        loop {
            let store = &self.executor.shared.store;
            match store.decide(&mut self.held, self.goal, &news).await {
                Err(error) if error.is_unavailable() && Instant::now() < until => {
                    tracing::warn!(%error, "can't store the result; trying again");
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
                Err(error) => {
                    if matches!(error, database::Error::LeaseLost) {
                        self.keep_late(&news).await;
                    }
                    return Err(error.into());
                }
                Ok(action) => {
                    self.log(&action);
                    return Ok(action);
                }
            }
        }
    }

    /// Stores a payment that was created after the lease was lost: another instance may have called the service, too. The
    /// attempt may find that it is its payment after all; otherwise the merchant has to resolve it.
    async fn keep_late(&self, news: &News) {
        let (Evidence::Created(Created::Payment(id) | Created::Contradictory(id)), Some(record)) =
            (&news.evidence, &news.record)
        else {
            return;
        };
        let attempt = &self.held.attempt;
        let is_contradictory =
            matches!(news.evidence, Evidence::Created(Created::Contradictory(_)));
        let add = async || {
            let store = &self.executor.shared.store;
            store.add_late(attempt, id, record, is_contradictory).await
        };
        match add.retry(ExponentialBuilder::default()).await {
            Ok(()) => tracing::warn!(transaction_id = id, "a payment was created too late"),
            Err(error) => {
                tracing::error!(transaction_id = id, %error, "a payment was created too late; cancel it by hand unless it is the order's");
            }
        }
    }

    /// Asks the service to create the payment.
    async fn create(&mut self) -> News {
        let held = &self.held;
        let Some(request) = held.attempt.sent() else {
            return self.failed(ServiceError::NotSent, Evidence::Created(Created::Nothing));
        };
        let service = &self.executor.shared.service;
        let created = service.create(request, held.lease.send_by(), held.lease.finish_by());
        let created = created
            .await
            .and_then(|record| Ok((Payment::try_from(&record)?, record)));
        let (payment, record) = match created {
            Ok(created) => created,
            Err(error) if error.nothing_happened() => {
                return self.failed(error, Evidence::Created(Created::Nothing));
            }
            Err(error) => return self.failed(error, Evidence::Created(Created::Unclear)),
        };
        let is_closed = self.executor.shared.statuses.meaning(&record) == Meaning::Closed;
        let contradiction = contradiction(request, &payment)
            // The list may say otherwise, so the order must not be freed for another payment.
            .or(is_closed.then_some("statusText"));
        let id = payment.transaction_id;
        let created = match contradiction {
            Some(field) => {
                let error = ServiceError::Contradictory(field);
                tracing::error!(transaction_id = id, %error, "the payment is not shown to the buyer");
                self.error = Some(error.into());
                Created::Contradictory(id)
            }
            None => Created::Payment(id),
        };
        News {
            record: Some(record),
            ..News::of(Evidence::Created(created))
        }
    }

    /// Asks the service to cancel a payment.
    async fn cancel(&mut self, id: &str) -> News {
        let held = &self.held;
        let service = &self.executor.shared.service;
        let answer = service
            .cancel(id, held.lease.send_by(), held.lease.finish_by())
            .await;
        let evidence = match answer {
            Ok(records) => {
                let created = held.attempt.record.clone().unwrap_or_default();
                let mapping = self.executor.shared.statuses.mapping();
                cancelled(&records, id, &created, &mapping)
            }
            Err(error) => {
                let evidence = match &error {
                    error if error.nothing_happened() => Cancelled::Nothing,
                    // A conflict is about this payment's own state.
                    ServiceError::Refused(StatusCode::CONFLICT, _) => Cancelled::Nothing,
                    ServiceError::Refused(..) | ServiceError::Unreadable(_) => Cancelled::Odd,
                    _ => Cancelled::Lost,
                };
                return self.failed(error, Evidence::Cancelled(evidence));
            }
        };
        News::of(Evidence::Cancelled(evidence))
    }

    /// Logs the error of a call, and keeps it for the answer.
    pub(super) fn failed(
        &mut self,
        error: impl Into<Arc<ServiceError>>,
        evidence: Evidence<String>,
    ) -> News {
        let error = error.into();
        tracing::warn!(%error, "a call to the service failed");
        let failure = Some(error.code());
        self.error = Some(error);
        News {
            failure,
            ..News::of(evidence)
        }
    }

    /// Reads a payment in the service's list, but not too often for the same requester.
    async fn read(&mut self, id: &str) -> Result<News, Error> {
        let requester = match self.goal {
            Goal::Cancel(requester) => *requester,
            _ => Requester::Buyer,
        };
        let limit = &self.executor.cancel_limit;
        if let Err(Exceeded(wait)) = limit.spend((id.to_owned(), requester)) {
            let error = ServiceError::TooManyCancels(wait);
            return Ok(self.failed(error, Evidence::Listed(Listed::Unclear)));
        }
        self.listed(id, Evidence::Listed).await
    }

    /// Reads a payment in the service's list after the response to the request to cancel.
    async fn confirm(&mut self, id: &str) -> Result<News, Error> {
        let news = self.listed(id, Evidence::Confirmed).await?;
        // The request was sent, so a failed read is no reason to say that nothing was.
        self.error = None;
        Ok(news)
    }

    fn log(&self, action: &Action<String>) {
        let id = self.held.attempt.payment();
        match action {
            Action::Answer(Answer::Free) if id.is_some() => tracing::info!(
                transaction_id = id,
                "the payment is cancelled or has ended, so it can be replaced"
            ),
            Action::Answer(Answer::Refused(Refusal::Unidentified | Refusal::Unknown)) => {
                tracing::warn!(transaction_id = id, "what became of the payment is unknown");
            }
            _ => {}
        }
    }
}

/// The wait of one request for another one that works on the same attempt. It lasts a little longer than a lease.
struct Wait {
    until: Instant,
    pause: Duration,
    /// The attempts whose work has ended in this instance, so that the store is not polled often.
    ended: Receiver<String>,
}

impl Wait {
    /// The lease is seen a moment after the wait begins.
    const MARGIN: Duration = Duration::from_secs(2);

    /// The longest delay until a write of another instance is noticed.
    const MAX_PAUSE: Duration = Duration::from_millis(500);

    /// Waits until the attempt may have changed.
    async fn for_change(&mut self, id: &str) -> Result<(), Error> {
        if Instant::now() > self.until {
            return Err(ProblemCode::AttemptInProgress.into());
        }
        let ended = async {
            while let Ok(ended) = self.ended.recv().await
                && ended != id
            {}
        };
        // Check again after either of them.
        _ = tokio::time::timeout(self.pause, ended).await;
        self.pause = (self.pause * 2).min(Self::MAX_PAUSE);
        Ok(())
    }
}
