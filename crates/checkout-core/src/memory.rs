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
    Access, Attempt, AttemptKey, Awaiting, Choosing, HashSource, LatestRecord, PaymentProgress,
    PriorAttempt, SentMark, State,
};
use crate::wallet::{WalletFailure, WalletPayment};

/// What is saved in the tab's `sessionStorage`: an attempt, which has an idempotency key, or a payment, which has its record.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SavedPayment))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent fact, and a field of the saved JSON"
)]
pub struct Memory {
    /// What the payment was requested with, without the buyer's e-mail address and name.
    #[serde(deserialize_with = "request")]
    request: CreatePayment,
    /// The token to pay in.
    token: Token,
    /// The `Idempotency-Key` of an attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
    /// The record of a payment, without the buyer's e-mail address and name.
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<Payment>,
    /// Allows this tab to follow the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    /// The hash of the buyer's transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<String>,
    /// What this tab may do with the payment.
    #[serde(default)]
    access: Access,
    /// Whether another payment of the order is paid.
    #[serde(default)]
    is_order_paid: bool,
    /// Whether the payment was paid after it had been closed.
    #[serde(default)]
    is_late: bool,
    /// Whether another page has said that money may have been sent.
    #[serde(default)]
    is_marked: bool,
    /// Whether the buyer has said on this page that money was sent.
    #[serde(default)]
    said_sent: bool,
    /// Whether the buyer may change the hash.
    #[serde(default)]
    may_edit_hash: bool,
    /// The secret of the proxy's mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent_mark: Option<String>,
    /// Whether the status has changed since the payment was created.
    #[serde(default, rename = "hasMoved")]
    has_status_changed: bool,
    /// Whether the latest record contradicts the payment.
    #[serde(default)]
    latest: LatestRecord,
    /// Whether a wallet may have sent the money without reporting it.
    #[serde(default)]
    is_wallet_unclear: bool,
    /// Whether a request to cancel may have cancelled the payment.
    #[serde(default)]
    is_cancel_unclear: bool,
}

/// Reads the request through [`Record`], as payments and tokens are read.
fn request<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CreatePayment, D::Error> {
    let record = Record::deserialize(deserializer)?;
    record.read("request").map_err(D::Error::custom)
}

/// An attempt that was saved before a reload.
pub(crate) struct Recalled {
    /// The form of the attempt, without the e-mail address and the name that the buyer typed.
    pub(crate) form: Form,
    pub(crate) prior: PriorAttempt,
}

/// What to save in this state, as JSON; `None` if there is no attempt, or it has ended.
#[must_use]
pub fn remember(config: &Config, state: &State) -> Option<String> {
    let memory = match state {
        State::Loading(draft) | State::Unavailable(draft, _) | State::Found(draft, _) => {
            save_prior(config, draft.prior.as_ref()?)
        }
        State::Choosing(choosing, _) => save_prior(config, choosing.prior.as_ref()?),
        State::Failed(Choosing { prior: None, .. }, _, failure)
            if failure.code == FailureCode::AttemptEnded =>
        {
            None
        }
        State::Submitting(choosing, attempt, _) | State::Failed(choosing, attempt, _) => {
            match &choosing.prior {
                // Until the open payment is cancelled, it is the one to continue.
                Some(open) => save_prior(config, open),
                None => save_attempt(config, attempt),
            }
        }
        State::Awaiting(awaiting)
        | State::Pending(awaiting)
        | State::Underpaid(awaiting)
        | State::Unknown(awaiting)
        | State::OrderPaid(awaiting)
        | State::Paid(awaiting)
        | State::Closed(awaiting) => save_payment(config, awaiting),
        State::Cancelled(_) => None,
    };
    // Writing texts, numbers and flags does not fail.
    serde_json::to_string(&memory?).ok()
}

/// Reads what [`remember`] saved for the same order before a reload; `None` if there is nothing to
/// continue.
pub(crate) fn recall(config: &Config, json: &str) -> Option<Recalled> {
    let memory: Memory = Record::parse(json, "what was saved")
        .ok()?
        .read("saved")
        .ok()?;
    let form = Form {
        payment_token: Some(memory.request.payment_token.clone()),
        amount: memory.request.quantity.to_string(),
        ..Form::new(config)
    };
    let request = same_request(config, &memory.request);
    let prior = match memory.idempotency_key {
        Some(key) => PriorAttempt::Attempt(Box::new(Attempt {
            key: AttemptKey(key),
            request: request?,
            choice: memory.token.into(),
        })),
        None => recall_payment(memory, request, form.clone())?,
    };
    Some(Recalled { form, prior })
}

/// The payment and its saved progress. `request` is `None` if the shop has changed the order since; a
/// closed payment is then forgotten, unless the buyer may have sent money to it.
fn recall_payment(memory: Memory, request: Option<Request>, form: Form) -> Option<PriorAttempt> {
    let created = Created {
        is_repeated: false,
        is_sent: false,
        payment: memory.payment?,
        receipt: memory.receipt,
        is_order_paid: memory.is_order_paid,
    };
    let choice = Choice::from(memory.token);
    let matches_request = check_created(&memory.request, &choice, &created.payment).is_ok();
    let is_of_order = request.is_some();
    let request = request.unwrap_or(Request::Plain(memory.request));
    let mut awaiting = Box::new(Awaiting::new(created, request, choice, form));
    let hash = memory.transaction;
    if let Some(hash) = hash.and_then(|hash| awaiting.read_hash(&hash)) {
        let source = if memory.may_edit_hash {
            HashSource::Typed
        } else {
            HashSource::Fixed
        };
        awaiting.progress = PaymentProgress::Sent(hash, source);
    } else if memory.said_sent {
        awaiting.progress = PaymentProgress::SaidSent;
    } else if memory.is_marked {
        awaiting.progress = PaymentProgress::Marked;
    } else if memory.has_status_changed {
        awaiting.progress = PaymentProgress::StatusChanged;
    }
    awaiting.mark = memory.sent_mark.map_or(SentMark::None, SentMark::Stored);
    awaiting.access = memory.access;
    awaiting.is_late = memory.is_late;
    awaiting.latest = memory.latest;
    awaiting.is_cancel_unclear = memory.is_cancel_unclear;
    if memory.is_wallet_unclear {
        awaiting.wallet_payment = WalletPayment::Failed(WalletFailure::Unclear);
    }
    let is_closed = awaiting.payment.state == Some(PaymentState::Closed);
    let is_sent = !awaiting.may_start_again() || awaiting.is_wallet_unclear();
    if is_closed && !is_sent && !(matches_request && is_of_order) {
        return None;
    }
    Some(if !matches_request {
        PriorAttempt::Mismatched(awaiting)
    } else if is_of_order || awaiting.is_paid() || !awaiting.may_be_replaced() {
        PriorAttempt::Payment(awaiting)
    } else {
        PriorAttempt::Outdated(awaiting)
    })
}

fn save_prior(config: &Config, prior: &PriorAttempt) -> Option<Memory> {
    match prior {
        PriorAttempt::Attempt(attempt) => save_attempt(config, attempt),
        PriorAttempt::Payment(awaiting)
        | PriorAttempt::Outdated(awaiting)
        | PriorAttempt::Mismatched(awaiting) => save_payment(config, awaiting),
        PriorAttempt::Ended(_) => None,
    }
}

/// `None` if the buyer typed an e-mail address or a name. These are not saved, so the request could
/// not be repeated unchanged, and the proxy would reject its key.
fn save_attempt(config: &Config, attempt: &Attempt) -> Option<Memory> {
    let request = without_buyer(config, &attempt.request)?;
    let can_repeat = same_request(config, &request).as_ref() == Some(&attempt.request);
    can_repeat.then(|| Memory {
        idempotency_key: Some(attempt.key.0.clone()),
        ..save_request(request, &attempt.choice)
    })
}

fn save_payment(config: &Config, awaiting: &Awaiting) -> Option<Memory> {
    let payment = Payment {
        purchase_email: None,
        purchase_name: None,
        ..awaiting.payment.clone()
    };
    let request = without_buyer(config, &awaiting.request)?;
    let transaction = awaiting.transaction().map(TransactionHash::as_str);
    Some(Memory {
        payment: Some(payment),
        receipt: awaiting.receipt.clone(),
        transaction: transaction.map(ToOwned::to_owned),
        access: awaiting.access,
        is_order_paid: awaiting.is_order_paid,
        is_late: awaiting.is_late,
        is_marked: awaiting.progress == PaymentProgress::Marked,
        said_sent: awaiting.progress == PaymentProgress::SaidSent,
        may_edit_hash: awaiting.may_edit_hash(),
        sent_mark: awaiting.mark.secret().map(ToOwned::to_owned),
        has_status_changed: awaiting.progress == PaymentProgress::StatusChanged,
        latest: awaiting.latest,
        is_wallet_unclear: awaiting.is_wallet_unclear(),
        is_cancel_unclear: awaiting.may_be_cancelled(),
        ..save_request(request, &awaiting.choice)
    })
}

/// The fields that are saved for attempts and payments alike.
fn save_request(request: CreatePayment, choice: &Choice) -> Memory {
    Memory {
        request,
        token: Token::from(choice),
        idempotency_key: None,
        payment: None,
        receipt: None,
        transaction: None,
        access: Access::Owned,
        is_order_paid: false,
        is_late: false,
        is_marked: false,
        said_sent: false,
        may_edit_hash: false,
        sent_mark: None,
        has_status_changed: false,
        latest: LatestRecord::Consistent,
        is_wallet_unclear: false,
        is_cancel_unclear: false,
    }
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
