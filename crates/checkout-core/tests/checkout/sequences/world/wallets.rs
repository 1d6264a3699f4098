//! The wallets of the world: they answer late, never, twice or with junk, and switch their account or network between two
//! questions.

use tender_checkout_core::{
    CheckoutPayment, Effect, MarkSecret, PaymentEvent, Phase, SentEvent, SentMark, Shortfall,
    State, TransportError, WalletAnswer, WalletFailure, WalletPayment, WalletQuestion,
    WalletRequest, WalletStep, WalletTransaction,
};

use super::World;
use super::replies::{Asked, Reply};
use crate::support::HASH;

impl Reply {
    /// What a wallet answers that was asked for the money: a text for a hash, or a failure.
    pub(super) fn wallet_result(&self) -> Result<String, WalletFailure> {
        match self {
            Self::Well { .. } => Ok(HASH.to_owned()),
            Self::Badly(Ok(answer)) => Ok(answer.body.clone()),
            Self::Badly(Err(TransportError::TimedOut)) => Err(WalletFailure::Declined),
            Self::Badly(Err(_)) => Err(WalletFailure::Unclear),
        }
    }
}

/// Whether this failure proves that nothing was sent.
pub(super) fn proves_unsent(failure: WalletFailure) -> bool {
    failure != WalletFailure::Unclear
}

/// What a wallet answers that has two accounts, may be on another network, and may be out of its mind.
fn answer_question(
    question: &WalletQuestion,
    reply: &Reply,
) -> Result<WalletAnswer, WalletFailure> {
    let account = |name: &str| Ok(WalletAnswer::Account(name.to_owned()));
    match (question, reply) {
        (WalletQuestion::Connect | WalletQuestion::Account, Reply::Well { status, .. }) => {
            account(if status == "Seen" { "other" } else { "account" })
        }
        (WalletQuestion::Chain, Reply::Well { status, .. }) if status == "Paid" => {
            Err(WalletFailure::WrongNetwork)
        }
        (_, Reply::Well { .. }) => Ok(WalletAnswer::Yes),
        (_, Reply::Badly(Ok(answer))) if answer.status == 400 => Ok(WalletAnswer::Yes),
        (_, Reply::Badly(Ok(answer))) => account(&answer.body),
        (_, Reply::Badly(Err(TransportError::TimedOut))) => Err(WalletFailure::Declined),
        (WalletQuestion::Funds(_), Reply::Badly(Err(_))) => {
            Err(WalletFailure::Short(Shortfall::Amount))
        }
        (_, Reply::Badly(Err(_))) => Err(WalletFailure::NoAccount),
    }
}

impl World {
    /// Checks what a wallet is asked.
    pub(super) fn on_wallet(&mut self, before: &State, effect: Effect) {
        match effect {
            Effect::AskWallet {
                payment,
                number,
                question,
            } => {
                self.asks_for_money(&payment.transaction_id);
                let (id, request) = (payment.transaction_id, payment.request);
                self.asked
                    .push(Asked::Question(id, request, number, question));
            }
            Effect::AskToSend(payment, account) => {
                let transaction_id = payment.transaction_id;
                let asking = self.asks_for_money(&transaction_id);
                assert_eq!(
                    (account, true),
                    self.heard,
                    "the wallet's account and network"
                );
                assert!(
                    !self.sends.iter().any(|(id, _)| *id == transaction_id),
                    "at most one request to send is open for a payment"
                );
                assert!(
                    match &asking.facts.mark {
                        SentMark::Set(MarkSecret(secret)) => {
                            let mark = (transaction_id.clone(), secret.clone());
                            self.marks[&mark] || asking.facts.ignores_marks
                        }
                        SentMark::Unavailable => true,
                        SentMark::None => asking.receipt.is_none(),
                        SentMark::Setting(_)
                        | SentMark::Unconfirmed(_)
                        | SentMark::Removing(_)
                        | SentMark::NotRemoved(_) => false,
                    },
                    "a wallet is asked once the mark is set, as the first: {:?}",
                    asking.facts.mark
                );
                self.sends
                    .insert((transaction_id.clone(), payment.request.0));
                self.asked
                    .push(Asked::Wallet(transaction_id, payment.request));
            }
            Effect::Broadcast(payment) => {
                let waits = matches!(&before.phase, Phase::Awaiting(awaiting)
                    if awaiting.asks_for_money()
                        && awaiting.wallet.state == WalletPayment::Asked(payment.wallet)
                        && awaiting.wallet.request == payment.request
                        && awaiting.record.transaction_id == payment.transaction_id);
                assert!(waits, "what is not wanted is not broadcast");
            }
            other => panic!("it is not for a wallet: {other:?}"),
        }
    }

    /// The payment for which a wallet is asked, which must be on the page and ask for money.
    fn asks_for_money(&self, id: &str) -> &CheckoutPayment {
        match &self.state.phase {
            Phase::Awaiting(payment) if payment.record.transaction_id == id => {
                assert!(payment.asks_for_money(), "there is something to pay");
                payment
            }
            other => panic!("the payment is on the page: {other:?}"),
        }
    }

    /// A wallet answers.
    pub(super) fn answer_of_wallet(&mut self, asked: Asked, reply: &Reply) {
        match asked {
            Asked::Question(id, request, number, question) => {
                let answer = answer_question(&question, reply);
                if self.is_latest_question(&id, request, number) {
                    match (&question, &answer) {
                        (WalletQuestion::Chain, answer) => self.heard.1 = answer.is_ok(),
                        (_, Ok(WalletAnswer::Account(account))) => {
                            self.heard = (account.clone(), false);
                        }
                        _ => {}
                    }
                }
                self.on(PaymentEvent::WalletAnswered(id, request, number, answer));
            }
            Asked::Wallet(id, request) => {
                let is_tron = self.token_of(&id) != "bnb";
                let answer = reply.wallet_result().map(|hash| {
                    if is_tron {
                        let expiration = None;
                        WalletTransaction::Signed { hash, expiration }
                    } else {
                        WalletTransaction::Sent(hash.replace(HASH, &format!("0x{HASH}")))
                    }
                });
                self.on(SentEvent::WalletFinished(id, request, answer));
            }
            other => panic!("it is not for a wallet: {other:?}"),
        }
    }

    /// Whether the payment on the page waits for the answer to this question.
    fn is_latest_question(&self, id: &str, request: WalletRequest, number: u32) -> bool {
        let Phase::Awaiting(payment) = &self.state.phase else {
            return false;
        };
        matches!(&payment.wallet.state, WalletPayment::Preparing(preparation)
            if payment.record.transaction_id == id
                && payment.wallet.request == request
                && preparation.number == number)
    }

    /// What is prepared is wanted, and waits for an answer.
    pub(super) fn check_preparation(&self) {
        if let Phase::Awaiting(awaiting) = &self.state.phase
            && let WalletPayment::Preparing(preparation) = &awaiting.wallet.state
        {
            assert!(awaiting.asks_for_money(), "nothing is prepared in vain");
            let is_asked = self.asked.iter().any(|asked| {
                matches!(asked, Asked::Question(id, request, number, _)
                    if *id == awaiting.record.transaction_id
                        && *request == awaiting.wallet.request
                        && *number == preparation.number)
            });
            let is_marking = matches!(preparation.step, WalletStep::Marking(_));
            assert_ne!(
                is_asked, is_marking,
                "it waits for the wallet or for the mark"
            );
            let id = &awaiting.record.transaction_id;
            let is_requested = self.asked.iter().any(|asked| {
                matches!(asked, Asked::Secret(of) | Asked::Mark(of, _) | Asked::Unmark(of, _)
                    if of == id)
            });
            assert!(
                is_requested || !is_marking,
                "what it waits for was requested"
            );
        }
    }

    /// Until a wallet or the buyer has said that nothing was sent, a payment may have been paid.
    pub(super) fn check_open_wallets(&self) {
        let payment = match &self.state.phase {
            Phase::Awaiting(awaiting) => Some(&**awaiting),
            Phase::Choosing(_) => self.state.context.open_payment(),
            _ => None,
        };
        let is_open = |payment: &&CheckoutPayment| {
            let id = &payment.record.transaction_id;
            self.sends.iter().any(|(of, _)| of == id)
        };
        if let Some(payment) = payment.filter(is_open) {
            assert!(payment.may_be_paid());
        }
    }
}
