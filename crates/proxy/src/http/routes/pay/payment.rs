//! The page of a payment: its status, its cancellation, and the transaction that the buyer has sent.

use tender_checkout_core::{Cancelling, Event};
use tender_ledger::Requester;
use tender_protocol::test_mode::mark;

use super::answer::Answer;
use super::place::View;
use super::session::Session;
use super::visit::{Visit, outcome};
use crate::checkout::order::OrderError;
use crate::checkout::receipts::Receipt;
use crate::error::Error;
use crate::http::app::App;
use crate::http::credentials::Caller;
use crate::http::payment_id::PaymentId;
use crate::http::routes::payment::cancel_for;
use crate::rendering::hosted::{Checkout, EarlierPayment};

/// Seconds until the page of an open payment is loaded again.
const REFRESH_AFTER: u32 = 15;

/// The session of a payment. Without the cookie, the buyer needs the order's address again.
pub(super) fn session(visit: &Visit, name: &str) -> Result<Session, Error> {
    let session = Session::read(&visit.headers, name);
    session.ok_or_else(|| OrderError::Expired.into())
}

/// The view of the payment that the address names.
pub(super) async fn show(visit: &Visit, name: &str) -> Result<Answer, Error> {
    let session = session(visit, name)?;
    let mut checkout = payment(visit, &session).await?;
    match visit.place.view {
        View::Cancel => checkout.apply(Event::CancelRequested),
        View::Choose => checkout.choose_again(visit.listing().await),
        View::Payment => {
            checkout.page.refresh = checkout.is_waiting().then_some(REFRESH_AFTER);
            visit.go_live(&mut checkout, &session.order);
        }
        View::Sent => checkout.page.hash = Some(session.hash),
    }
    Ok(checkout.into())
}

/// Cancels the payment, unless it has ended already or money may be on its way.
pub(super) async fn cancel(visit: &Visit, name: &str) -> Result<Answer, Error> {
    let session = session(visit, name)?;
    let mut checkout = payment(visit, &session).await?;
    checkout.apply(Event::CancelRequested);
    checkout.apply(Event::CancelConfirmed);
    let id = match checkout.page.state.payment() {
        Some(it) if it.cancelling == Cancelling::Requested => it.payment.transaction_id.clone(),
        _ => return Ok(checkout.into()),
    };
    visit.audit.action("cancel");
    let cancelled = cancel_for(
        &visit.app,
        PaymentId::try_from(id.clone())?,
        Requester::Buyer,
    )
    .await;
    let (result, error) = outcome(cancelled);
    checkout.apply(Event::CancelFinished(id, result));
    Ok(Answer::Page(Box::new(checkout), error))
}

/// Keeps the hash of the buyer's transaction in the cookie.
pub(super) async fn enter_hash(visit: &Visit, name: &str, hash: String) -> Result<Answer, Error> {
    let mut session = session(visit, name)?;
    let mut checkout = payment(visit, &session).await?;
    let read = checkout
        .page
        .state
        .payment()
        .and_then(|it| it.read_hash(&hash));
    let Some(read) = read else {
        checkout.page.hash = Some(hash);
        return Ok(checkout.into());
    };
    read.as_str().clone_into(&mut session.hash);
    Ok(Answer::Redirect(
        visit.place.address(),
        session.cookies(&visit.headers, name),
    ))
}

/// The payment that the browser's cookie allows to see.
async fn payment(visit: &Visit, session: &Session) -> Result<Checkout, Error> {
    let app = &visit.app;
    let caller = app.access.load().buyer(&session.receipt)?;
    visit.audit.caller(&caller);
    let Caller::Buyer(Receipt { transaction_id, .. }) = caller else {
        return Err(Error::CredentialsMissing);
    };
    visit.audit.payment(&transaction_id);
    let mut checkout = visit.checkout(&session.order).await?;
    let attempt = app.ledger.store().of_payment(&transaction_id).await?;
    let attempt = attempt.ok_or(Error::AttemptEnded)?;
    let latest = app.tracking.latest(&transaction_id).await?;
    let created = match &attempt.record {
        Some(record) => serde_json::to_string(record).map_err(Error::internal)?,
        None => latest.clone(),
    };
    let payment = EarlierPayment {
        request: attempt.request.ok_or(Error::AttemptEnded)?,
        created: with_receipt(app, &created, &session.receipt)?,
        latest,
    };
    checkout.show(payment, visit.listing().await);
    if !session.hash.is_empty() {
        checkout.apply(Event::HashEntered(session.hash.clone()));
    }
    Ok(checkout)
}

/// The record as the create request returns it.
fn with_receipt(app: &App, json: &str, receipt: &str) -> Result<String, Error> {
    let mut record: tender_protocol::Record =
        serde_json::from_str(json).map_err(Error::internal)?;
    mark(&mut record, app.test_mode);
    record.set("receipt", receipt).map_err(Error::internal)?;
    serde_json::to_string(&record).map_err(Error::internal)
}
