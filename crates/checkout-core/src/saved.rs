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
    Access, Attempt, AttemptKey, CheckoutPayment, HashSource, LatestRecord, MarkSecret,
    PaymentProgress, Phase, PriorAttempt, Reason, SentMark, State,
};
use crate::status_record::OrderMoney;
use crate::wallet::{WalletFailure, WalletPayment};

/// What is saved in the tab's `sessionStorage`: an attempt, which has an idempotency key, or a payment, which has its record.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent fact, and a field of the saved JSON"
)]
pub struct SavedPayment {
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
    /// Whether money was seen for another payment of the order, which is not known to be paid.
    #[serde(default)]
    is_order_seen: bool,
    /// Whether the payment was paid after it had been closed.
    #[serde(default)]
    is_late: bool,
    /// Whether another page has said that money may have been sent.
    #[serde(default)]
    is_marked: bool,
    /// Whether the buyer has said on this page that money was sent.
    #[serde(default)]
    said_sent: bool,
    /// Whether the buyer has said on this page that nothing was sent, although another page has marked the payment.
    #[serde(default)]
    ignores_marks: bool,
    /// Whether the buyer may change the hash.
    #[serde(default)]
    may_edit_hash: bool,
    /// The secret of this page's mark.
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
    let saved: SavedPayment = Record::parse(json, "what was saved")
        .ok()?
        .read("saved")
        .ok()?;
    let form = Form {
        payment_token: Some(saved.request.payment_token.clone()),
        amount: saved.request.quantity.to_string(),
        ..Form::new(config)
    };
    let request = same_request(config, &saved.request);
    let prior = match saved.idempotency_key {
        Some(key) => PriorAttempt::Attempt(Box::new(Attempt {
            key: AttemptKey(key),
            request: request?,
            choice: saved.token.into(),
        })),
        None => restore_payment(saved, request)?,
    };
    Some((form, prior))
}

/// The payment and its saved progress. `request` is `None` if the shop has changed the order since; a
/// closed payment is then forgotten, unless the buyer may have sent money to it.
fn restore_payment(saved: SavedPayment, request: Option<Request>) -> Option<PriorAttempt> {
    let created = Created {
        is_repeated: false,
        is_sent: false,
        payment: saved.payment?,
        receipt: saved.receipt,
        order_money: if saved.is_order_paid {
            Some(OrderMoney::Paid)
        } else {
            saved.is_order_seen.then_some(OrderMoney::Seen)
        },
    };
    let choice = Choice::from(saved.token);
    let matches_request = check_created(&saved.request, &choice, &created.payment).is_ok();
    let is_of_order = request.is_some();
    let request = request.unwrap_or(Request::Plain(saved.request));
    let mut payment = Box::new(CheckoutPayment::new(created, request, choice));
    let hash = saved.transaction;
    if let Some(hash) = hash.and_then(|hash| payment.read_hash(&hash)) {
        let source = if saved.may_edit_hash {
            HashSource::Typed
        } else {
            HashSource::Final
        };
        payment.progress = PaymentProgress::Sent(hash, source);
    } else if saved.said_sent {
        payment.progress = PaymentProgress::SaidSent;
    } else if saved.is_marked {
        payment.progress = PaymentProgress::Marked;
    } else if saved.has_status_changed {
        payment.progress = PaymentProgress::StatusChanged;
    }
    payment.mark = saved.sent_mark.map_or(SentMark::None, |secret| {
        SentMark::Unconfirmed(MarkSecret(secret))
    });
    payment.ignores_marks = saved.ignores_marks;
    payment.access = saved.access;
    payment.is_late = saved.is_late;
    payment.latest = saved.latest;
    payment.is_cancel_unclear = saved.is_cancel_unclear;
    if saved.is_wallet_unclear {
        payment.wallet_payment = WalletPayment::Failed(WalletFailure::Unclear);
    }
    let is_closed = payment.record.state == Some(PaymentState::Closed);
    let is_sent = !payment.may_start_again() || payment.is_wallet_unclear();
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
    can_repeat.then(|| SavedPayment {
        idempotency_key: Some(attempt.key.0.clone()),
        ..save_request(request, &attempt.choice)
    })
}

fn save_payment(config: &Config, payment: &CheckoutPayment) -> Option<SavedPayment> {
    let record = Payment {
        purchase_email: None,
        purchase_name: None,
        ..payment.record.clone()
    };
    let request = without_buyer(config, &payment.request)?;
    let transaction = payment.transaction().map(TransactionHash::as_str);
    Some(SavedPayment {
        payment: Some(record),
        receipt: payment.receipt.clone(),
        transaction: transaction.map(ToOwned::to_owned),
        access: payment.access,
        is_order_paid: payment.order_money == Some(OrderMoney::Paid),
        is_order_seen: payment.order_money == Some(OrderMoney::Seen),
        is_late: payment.is_late,
        is_marked: payment.progress == PaymentProgress::Marked,
        ignores_marks: payment.ignores_marks,
        said_sent: payment.progress == PaymentProgress::SaidSent,
        may_edit_hash: payment.may_edit_hash(),
        sent_mark: payment.mark.secret().map(|secret| secret.0.clone()),
        has_status_changed: payment.progress == PaymentProgress::StatusChanged,
        latest: payment.latest,
        is_wallet_unclear: payment.is_wallet_unclear(),
        is_cancel_unclear: payment.may_be_cancelled(),
        ..save_request(request, &payment.choice)
    })
}

/// The fields that are saved for attempts and payments alike.
fn save_request(request: CreatePayment, choice: &Choice) -> SavedPayment {
    SavedPayment {
        request,
        token: Token::from(choice),
        idempotency_key: None,
        payment: None,
        receipt: None,
        transaction: None,
        access: Access::Owned,
        is_order_paid: false,
        is_order_seen: false,
        is_late: false,
        is_marked: false,
        said_sent: false,
        ignores_marks: false,
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
