//! The one state of a checkout.

use tender_protocol::{Payment, TokenCode};

use crate::answer::Created;
use crate::asset::{AssetInfo, HashFormat, TransactionHash};
use crate::choice::Choice;
use crate::failure::Failure;
use crate::form::{Form, FormProblem};
use crate::order::Request;
use crate::send::AmountToSend;
use crate::transfer::Transfer;
use crate::wallet::{WalletFailure, WalletPayment};

/// Where a checkout stands. A view shows exactly one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The tokens are on their way.
    Loading(Draft),
    /// The tokens can't be had.
    Unavailable(Draft, Failure),
    /// The buyer is choosing.
    Choosing(Choosing),
    /// The payment is being created.
    Submitting(Choosing, Attempt),
    /// The payment was not created, or its answer was lost.
    Failed(Choosing, Attempt, Failure),
    /// The buyer knows what to pay, and where.
    Awaiting(Box<Awaiting>),
    /// The payment was cancelled.
    Cancelled(Form, Payment),
}

/// What outlives a listing: a new one must not cost the buyer what they typed, nor a second payment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// What the buyer has chosen and typed; `None` begins with what the attributes say.
    pub form: Option<Form>,
    /// What was begun before.
    pub prior: Option<PriorAttempt>,
}

/// What is on offer, and what the buyer has made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// The tokens to choose from.
    pub choices: Vec<Choice>,
    /// Symbol of the token that the order is priced in, which need not be among the choices.
    pub price_symbol: String,
    /// What the buyer has chosen and typed.
    pub form: Form,
    /// What kept the form from being sent.
    pub problem: Option<FormProblem>,
    /// What was begun before.
    pub prior: Option<PriorAttempt>,
}

/// What an earlier submit began and no cancellation has ended. The same request again goes on with
/// it, so that one wish to pay stays one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorAttempt {
    /// The proxy refused it, or its answer was lost: there may be a payment.
    Attempt(Box<Attempt>),
    /// There is a payment.
    Payment(Box<Awaiting>),
    /// There is a payment, at a price that the shop has changed since: all that is left to do with
    /// it is to cancel it.
    Outdated(Box<Awaiting>),
}

/// One wish to pay. However often it is sent, it is one payment: the proxy knows it by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Travels as `Idempotency-Key`.
    pub key: AttemptKey,
    /// The body.
    pub request: Request,
    /// What the buyer chose: it names the network.
    pub choice: Choice,
}

/// The key of an attempt: a UUID, drawn where randomness is to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptKey(pub String);

/// A payment that waits for the buyer's money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaiting {
    /// The latest record known.
    pub payment: Payment,
    /// The request that made it.
    pub request: Request,
    /// What the buyer chose: it names the network.
    pub choice: Choice,
    /// The exact amount to send.
    pub send: AmountToSend,
    /// The proxy's receipt, where it gave one.
    pub receipt: Option<String>,
    /// Whether there is still something to pay, as far as this page knows.
    pub progress: PaymentProgress,
    /// Where paying from a wallet in the browser stands.
    pub wallet_payment: WalletPayment,
    /// Where the wish to cancel stands.
    pub cancelling: Cancelling,
    /// How the status is looked after.
    pub polling: Polling,
    /// How the proxy tells of changes by itself.
    pub stream: Stream,
    /// What the buyer had chosen and typed.
    pub form: Form,
}

/// Whether there is still something to pay, as far as this page knows. Only where there is may
/// anything on the page ask for money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentProgress {
    /// The status is the one that the payment was created with.
    Open,
    /// The status is another one since. What it means is not documented: the buyer may have paid.
    StatusChanged,
    /// The buyer's transaction is known.
    Sent(TransactionHash),
}

/// Where the wish to cancel stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelling {
    /// There is none.
    Idle,
    /// The buyer is asked whether they mean it.
    Confirming,
    /// The request is under way.
    Requested,
    /// It was refused, or its answer was lost: as far as this page knows, the payment stands.
    Failed(Failure),
    /// The proxy does not offer it.
    Unavailable,
}

/// How the status of a payment is looked after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// Not at all: without a receipt, or the proxy does not offer it.
    Off,
    /// Until the next look; so many looks were in vain since the last change.
    Waiting(u32),
    /// A request is under way.
    Requesting(u32),
}

/// How the proxy tells of changes by itself: server-sent events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Not at all: without a receipt, or the proxy does not offer it.
    Off,
    /// It may be opened at the next look.
    Closed,
    /// Asked for. Looks go on as without it: something between may keep its events back.
    Opening,
    /// It has brought a record, so that looks are only a second thought.
    Open,
}

impl Default for State {
    fn default() -> Self {
        Self::Loading(Draft::default())
    }
}

impl Choosing {
    /// Whether the buyer may choose `code`.
    #[must_use]
    pub fn offers(&self, code: &TokenCode) -> bool {
        self.choices.iter().any(|choice| choice.code == *code)
    }

    /// The payment that was begun before and is not cancelled.
    #[must_use]
    pub fn open_payment(&self) -> Option<&Awaiting> {
        match &self.prior {
            Some(PriorAttempt::Payment(awaiting) | PriorAttempt::Outdated(awaiting)) => {
                Some(awaiting)
            }
            Some(PriorAttempt::Attempt(_)) | None => None,
        }
    }

    /// The choice with the form's code.
    #[must_use]
    pub fn chosen(&self) -> Option<&Choice> {
        let code = self.form.payment_token.as_ref()?;
        self.choices.iter().find(|choice| choice.code == *code)
    }
}

impl Awaiting {
    /// A payment as it is when its record has just come.
    #[must_use]
    pub fn new(created: Created, request: Request, choice: Choice, form: Form) -> Self {
        let Created { payment, receipt } = created;
        let (polling, stream) = match receipt {
            Some(_) => (Polling::Waiting(0), Stream::Closed),
            None => (Polling::Off, Stream::Off),
        };
        Self {
            send: AmountToSend::new(payment.quantity_pay.clone(), choice.decimals),
            payment,
            request,
            choice,
            receipt,
            progress: PaymentProgress::Open,
            wallet_payment: WalletPayment::Idle,
            cancelling: Cancelling::Idle,
            polling,
            stream,
            form,
        }
    }

    /// The buyer's transaction, once known.
    #[must_use]
    pub fn transaction(&self) -> Option<&TransactionHash> {
        match &self.progress {
            PaymentProgress::Sent(hash) => Some(hash),
            PaymentProgress::Open | PaymentProgress::StatusChanged => None,
        }
    }

    /// Whether money may be on its way: the status has moved, the transaction is known, or a wallet
    /// did not say what it did.
    #[must_use]
    pub fn may_be_paid(&self) -> bool {
        self.progress != PaymentProgress::Open || self.is_wallet_unclear()
    }

    /// Whether a wallet was asked to pay and did not say what it did.
    #[must_use]
    pub fn is_wallet_unclear(&self) -> bool {
        matches!(
            self.wallet_payment,
            WalletPayment::Asked(_) | WalletPayment::Failed(WalletFailure::Unclear)
        )
    }

    /// Whether the buyer may still take another token: this payment can be cancelled first.
    #[must_use]
    pub fn may_change(&self) -> bool {
        !self.may_be_paid() && matches!(self.cancelling, Cancelling::Idle | Cancelling::Failed(_))
    }

    /// How the chosen token's network writes transaction hashes, where that is known.
    #[must_use]
    pub fn hash_format(&self) -> Option<HashFormat> {
        AssetInfo::of(&self.choice.code).map(AssetInfo::hash_format)
    }

    /// The hash in a text, where it has the network's form.
    #[must_use]
    pub fn read_hash(&self, text: &str) -> Option<TransactionHash> {
        TransactionHash::parse(text, self.hash_format()?)
    }

    /// What a wallet in the browser may be asked to send.
    #[must_use]
    pub fn transfer(&self) -> Option<Transfer> {
        Transfer::new(&self.choice, &self.send, &self.payment.wallet)
    }

    /// Whether the buyer decides in a wallet at this moment.
    #[must_use]
    pub fn is_wallet_asked(&self) -> bool {
        matches!(self.wallet_payment, WalletPayment::Asked(_))
    }

    /// Where the transaction can be seen; until its hash is known, where the explorer begins.
    #[must_use]
    pub fn explorer_url(&self) -> Option<String> {
        let explorer = self.choice.explorer.as_ref()?;
        Some(match self.transaction() {
            Some(hash) => explorer.transaction(hash),
            None => explorer.origin(),
        })
    }
}
