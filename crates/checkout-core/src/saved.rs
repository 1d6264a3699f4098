//! What is saved for a reload, so that the same payment is continued.
//!
//! One JSON object per order, made of records in the service's field names. The page keeps it for
//! as long as the tab is open. It contains nothing personal: no e-mail address, no name.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tender_protocol::{CreatePayment, Payment, PaymentState, Record, Token};

use crate::asset::TransactionHash;
use crate::choice::Choice;
use crate::config::Config;
use crate::failure::FailureCode;
use crate::form::Form;
use crate::order::Request;
use crate::record_check::check_created;
use crate::response::Created;
use crate::state::{
    Attempt, AttemptKey, CheckoutPayment, Facts, Phase, PriorAttempt, Reason, State,
};
use crate::wallet::{WalletFailure, WalletPayment, Watch};

/// What is saved in the tab's `sessionStorage`: an attempt, which has an idempotency key, or a payment, which has its record.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SavedPayment {
    #[serde(flatten)]
    fields: SavedFields,
    #[serde(flatten)]
    facts: Facts,
}

/// What is saved beside the facts.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct SavedFields {
    /// What the payment was requested with, without the buyer's e-mail address and name.
    #[serde(deserialize_with = "request")]
    request: CreatePayment,
    /// The token to pay in.
    token: Token,
    /// The `Idempotency-Key` of an attempt.
    idempotency_key: Option<String>,
    /// The record of a payment, without the buyer's e-mail address and name.
    payment: Option<Payment>,
    /// Allows this tab to follow the payment.
    receipt: Option<String>,
    /// Whether a wallet may have sent the money without reporting it.
    #[serde(default)]
    is_wallet_unclear: bool,
    /// The hash of the transaction that the wallet has signed and that was not wanted any more.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    signed: Option<TransactionHash>,
    /// Whether a wallet on this page has sent the transaction, and nothing final is known of it.
    #[serde(default)]
    is_sent_by_wallet: bool,
    /// When the wallet's transaction expires, in milliseconds since 1970.
    expiration: Option<String>,
}

/// Reads the request through [`Record`], as payments and tokens are read.
fn request<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CreatePayment, D::Error> {
    let record = Record::deserialize(deserializer)?;
    record.read("request").map_err(D::Error::custom)
}

/// What to save in this state, as JSON; `None` if there is no attempt, or it has ended.
pub fn save(config: &Config, state: &State) -> Option<String> {
    let prior = state.context.prior.as_ref();
    let saved = match &state.phase {
        Phase::Loading(_) | Phase::Unavailable(_) | Phase::Choosing(_) => {
            save_prior(config, prior?)
        }
        Phase::Failed(_, _, failure)
            if prior.is_none() && failure.code == FailureCode::AttemptEnded =>
        {
            None
        }
        Phase::Submitting(_, attempt, _) | Phase::Failed(_, attempt, _) => match prior {
            // Until the open payment is cancelled, it is the one to continue.
            Some(open) => save_prior(config, open),
            None => save_attempt(config, attempt),
        },
        Phase::NotPayable(Reason::Cancelled, _) => None,
        Phase::Awaiting(payment) | Phase::NotPayable(_, payment) => save_payment(config, payment),
    };
    // Writing texts, numbers and flags does not fail.
    serde_json::to_string(&saved?).ok()
}

/// Reads what [`save`] saved for the same order before a reload: the form, without the e-mail address and the name that the
/// buyer typed, and the attempt. `None` if there is nothing to continue.
pub(crate) fn restore(config: &Config, json: &str) -> Option<(Form, PriorAttempt)> {
    let record = Record::parse(json, "what was saved").ok()?;
    let saved: SavedFields = record.read("saved").ok()?;
    let form = Form {
        payment_token: Some(saved.request.payment_token.clone()),
        amount: saved.request.quantity.to_string(),
        ..Form::new(config)
    };
    let request = same_request(config, &saved.request);
    let prior = if let Some(key) = saved.idempotency_key {
        PriorAttempt::Attempt(Box::new(Attempt {
            key: AttemptKey(key),
            request: request?,
            choice: saved.token.into(),
        }))
    } else {
        restore_payment(saved, record.read("saved").ok()?, request)?
    };
    Some((form, prior))
}

/// The payment and its saved progress. `request` is `None` if the shop has changed the order since; a
/// closed payment is then forgotten, unless the buyer may have sent money to it.
fn restore_payment(
    saved: SavedFields,
    facts: Facts,
    request: Option<Request>,
) -> Option<PriorAttempt> {
    let created = Created {
        payment: saved.payment?,
        receipt: saved.receipt,
        facts,
    };
    let choice = Choice::from(saved.token);
    let matches_request = check_created(&saved.request, &choice, &created.payment).is_ok();
    let is_of_order = request.is_some();
    let request = request.unwrap_or(Request::Plain(saved.request));
    let mut payment = CheckoutPayment::new(created, request, choice);
    // Another script of the page may have changed what was saved.
    let read = |hash: Option<TransactionHash>| payment.read_hash(hash?.as_str());
    let (transaction, signed) = (read(payment.facts.transaction.clone()), read(saved.signed));
    payment.facts.transaction = transaction;
    let watch = Watch {
        wallet: None,
        expiration: saved.expiration.and_then(|time| time.parse().ok()),
        reads: 0,
    };
    payment.wallet.state = match signed {
        Some(hash) => WalletPayment::Signed(hash, watch),
        None if saved.is_sent_by_wallet && payment.facts.transaction.is_some() => {
            WalletPayment::Sent(watch)
        }
        None if saved.is_wallet_unclear => WalletPayment::Failed(WalletFailure::Unclear),
        None => WalletPayment::Idle,
    };
    let payment = Box::new(payment);
    let is_closed = payment.record.state == Some(PaymentState::Closed);
    let is_sent = !payment.may_start_again() || payment.wallet.is_unclear();
    if is_closed && !is_sent && !(matches_request && is_of_order) {
        return None;
    }
    Some(if !matches_request {
        PriorAttempt::Mismatched(payment)
    } else if is_of_order || payment.is_paid() || !payment.may_be_replaced() {
        PriorAttempt::Payment(payment)
    } else {
        PriorAttempt::Outdated(payment)
    })
}

fn save_prior(config: &Config, prior: &PriorAttempt) -> Option<SavedPayment> {
    match prior {
        PriorAttempt::Attempt(attempt) => save_attempt(config, attempt),
        PriorAttempt::Payment(payment)
        | PriorAttempt::Outdated(payment)
        | PriorAttempt::Mismatched(payment) => save_payment(config, payment),
        PriorAttempt::Ended(_) => None,
    }
}

/// `None` if the buyer typed an e-mail address or a name. These are not saved, so the request could
/// not be repeated unchanged, and the proxy would reject its key.
fn save_attempt(config: &Config, attempt: &Attempt) -> Option<SavedPayment> {
    let request = without_buyer(config, &attempt.request)?;
    let can_repeat = same_request(config, &request).as_ref() == Some(&attempt.request);
    let fields = SavedFields {
        request,
        token: Token::from(&attempt.choice),
        idempotency_key: Some(attempt.key.0.clone()),
        payment: None,
        receipt: None,
        is_wallet_unclear: false,
        signed: None,
        is_sent_by_wallet: false,
        expiration: None,
    };
    let facts = Facts::default();
    can_repeat.then_some(SavedPayment { fields, facts })
}

fn save_payment(config: &Config, payment: &CheckoutPayment) -> Option<SavedPayment> {
    let (signed, watch) = match &payment.wallet.state {
        WalletPayment::Signed(hash, watch) => (Some(hash.clone()), Some(watch)),
        WalletPayment::Sent(watch) => (None, Some(watch)),
        _ => (None, None),
    };
    let is_sent_by_wallet = signed.is_none() && watch.is_some();
    let expiration = watch.and_then(|watch| watch.expiration);
    let fields = SavedFields {
        request: without_buyer(config, &payment.request)?,
        token: Token::from(&payment.choice),
        idempotency_key: None,
        payment: Some(Payment {
            purchase_email: None,
            purchase_name: None,
            ..payment.record.clone()
        }),
        receipt: payment.receipt.clone(),
        is_wallet_unclear: payment.wallet.is_unclear(),
        signed,
        is_sent_by_wallet,
        expiration: expiration.map(|time| time.to_string()),
    };
    let facts = Facts {
        is_cancel_unclear: payment.may_be_cancelled(),
        ..payment.facts.clone()
    };
    Some(SavedPayment { fields, facts })
}

/// The documented fields of a request, without those about the buyer.
fn without_buyer(config: &Config, request: &Request) -> Option<CreatePayment> {
    Some(CreatePayment {
        purchase_email: None,
        purchase_name: None,
        ..config.order.documented(request).ok()?
    })
}

/// The request for the page's order that asks for the same as `saved`; `None` if the shop has
/// changed the order since. An order that was only signed again is the same.
fn same_request(config: &Config, saved: &CreatePayment) -> Option<Request> {
    let request = config.order.request(
        config.buyer.clone(),
        saved.payment_token.clone(),
        saved.quantity.clone(),
    );
    (without_buyer(config, &request).as_ref() == Some(saved)).then_some(request)
}
