//! What a tab remembers of a checkout, so that a reload goes on with the same payment.
//!
//! One JSON object for each order, made of records in the service's field names. The page keeps it
//! for as long as the tab is open. Nothing personal is in it: no e-mail address, no name.

use serde::{Deserialize, Serialize};
use tender_protocol::{CreatePayment, Payment, Token};

use crate::answer::Created;
use crate::asset::TransactionHash;
use crate::choice::Choice;
use crate::config::Config;
use crate::failure::FailureCode;
use crate::form::Form;
use crate::order::Request;
use crate::state::{Attempt, AttemptKey, Awaiting, Choosing, PaymentProgress, PriorAttempt, State};
use crate::wallet::{WalletFailure, WalletPayment};

/// What a tab remembers: an attempt, which has an idempotency key, or a payment, which has its record.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Memory {
    request: CreatePayment,
    token: Token,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<Payment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    /// The hash of the transaction that pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<String>,
    /// Whether the status is another one than at first.
    #[serde(default)]
    has_moved: bool,
    /// Whether a wallet was asked to pay, and its answer is not known.
    #[serde(default)]
    is_wallet_unclear: bool,
}

/// What was begun before the page was loaded.
pub(crate) struct Recalled {
    /// The form that it was begun with, but for what the buyer typed about themselves.
    pub(crate) form: Form,
    pub(crate) prior: PriorAttempt,
}

/// What to remember in this state, as JSON; `None` where nothing has been begun, or it has ended.
#[must_use]
pub fn remember(config: &Config, state: &State) -> Option<String> {
    let memory = match state {
        State::Loading(draft) | State::Unavailable(draft, _) => {
            of_prior(config, draft.prior.as_ref()?)
        }
        State::Choosing(choosing) => of_prior(config, choosing.prior.as_ref()?),
        State::Failed(Choosing { prior: None, .. }, _, failure)
            if failure.code == FailureCode::AttemptEnded =>
        {
            None
        }
        State::Submitting(choosing, attempt) | State::Failed(choosing, attempt, _) => {
            match &choosing.prior {
                // Until it is cancelled, the earlier payment is the one that counts.
                Some(earlier) => of_prior(config, earlier),
                None => of_attempt(config, attempt),
            }
        }
        State::Awaiting(awaiting) => of_payment(config, awaiting),
        State::Cancelled(..) => None,
    };
    // Writing texts, numbers and flags does not fail.
    serde_json::to_string(&memory?).ok()
}

/// Reads what [`remember`] wrote for the same order, on a page before; `None` where there is
/// nothing to go on with.
pub(crate) fn recall(config: &Config, json: &str) -> Option<Recalled> {
    let memory: Memory = serde_json::from_str(json).ok()?;
    let asked = memory.request;
    let choice = Choice::from(memory.token);
    let form = Form {
        payment_token: Some(asked.payment_token.clone()),
        amount: asked.quantity.to_string(),
        ..Form::new(config)
    };
    // The shop may have signed it anew since, or changed its price.
    let again = request_without_buyer(config, &asked);
    let is_of_order = wish(config, &again).as_ref() == Some(&asked);
    let prior = match memory.idempotency_key {
        Some(key) if is_of_order => PriorAttempt::Attempt(Box::new(Attempt {
            key: AttemptKey(key),
            request: again,
            choice,
        })),
        Some(_) => return None,
        None => {
            let created = Created {
                payment: memory.payment?,
                receipt: memory.receipt,
            };
            let request = if is_of_order {
                again
            } else {
                Request::Plain(asked)
            };
            let mut awaiting = Box::new(Awaiting::new(created, request, choice, form.clone()));
            let hash = memory.transaction;
            if let Some(hash) = hash.and_then(|hash| awaiting.read_hash(&hash)) {
                awaiting.progress = PaymentProgress::Sent(hash);
            } else if memory.has_moved {
                awaiting.progress = PaymentProgress::StatusChanged;
            }
            if memory.is_wallet_unclear {
                // The buyer may have said yes in the wallet, and nobody heard of it.
                awaiting.wallet_payment = WalletPayment::Failed(WalletFailure::Unclear);
            }
            if is_of_order || awaiting.may_be_paid() {
                PriorAttempt::Payment(awaiting)
            } else {
                PriorAttempt::Outdated(awaiting)
            }
        }
    };
    Some(Recalled { form, prior })
}

fn of_prior(config: &Config, prior: &PriorAttempt) -> Option<Memory> {
    match prior {
        PriorAttempt::Attempt(attempt) => of_attempt(config, attempt),
        PriorAttempt::Payment(awaiting) | PriorAttempt::Outdated(awaiting) => {
            of_payment(config, awaiting)
        }
    }
}

/// With what the buyer typed about themselves, which is not remembered, the same request can't be
/// made again: its key would belong to another one.
fn of_attempt(config: &Config, attempt: &Attempt) -> Option<Memory> {
    let request = wish(config, &attempt.request)?;
    let can_repeat = request_without_buyer(config, &request) == attempt.request;
    can_repeat.then(|| Memory {
        idempotency_key: Some(attempt.key.0.clone()),
        ..of_request(request, &attempt.choice)
    })
}

fn of_payment(config: &Config, awaiting: &Awaiting) -> Option<Memory> {
    let payment = Payment {
        purchase_email: None,
        purchase_name: None,
        ..awaiting.payment.clone()
    };
    let request = wish(config, &awaiting.request)?;
    let transaction = awaiting.transaction().map(TransactionHash::as_str);
    Some(Memory {
        payment: Some(payment),
        receipt: awaiting.receipt.clone(),
        transaction: transaction.map(ToOwned::to_owned),
        has_moved: awaiting.progress == PaymentProgress::StatusChanged,
        is_wallet_unclear: awaiting.is_wallet_unclear(),
        ..of_request(request, &awaiting.choice)
    })
}

/// What an attempt and a payment have in common.
fn of_request(request: CreatePayment, choice: &Choice) -> Memory {
    Memory {
        request,
        token: Token::from(choice),
        idempotency_key: None,
        payment: None,
        receipt: None,
        transaction: None,
        has_moved: false,
        is_wallet_unclear: false,
    }
}

/// What a request asks for, in plain fields, without who asks.
fn wish(config: &Config, request: &Request) -> Option<CreatePayment> {
    Some(match request {
        Request::Signed(request) => {
            let claims = config.order.claims();
            CreatePayment {
                token: claims.token.clone(),
                quantity: request
                    .quantity
                    .as_ref()
                    .or(claims.quantity.as_ref())?
                    .clone(),
                payment_token: request.payment_token.clone(),
                invoice_number: claims.invoice_number.clone(),
                purchase_email: None,
                purchase_name: None,
                item_number: claims.item_number.clone(),
            }
        }
        Request::Plain(request) => CreatePayment {
            purchase_email: None,
            purchase_name: None,
            ..request.clone()
        },
    })
}

/// The request for the page's order as one makes it who types nothing about themselves.
fn request_without_buyer(config: &Config, asked: &CreatePayment) -> Request {
    config.order.request(
        config.buyer.clone(),
        asked.payment_token.clone(),
        asked.quantity.clone(),
    )
}
