//! The requests of the checkout, and how the proxy responds to each.

use tender_checkout_core::{
    AttemptKey, Event, FetchResult, FormEvent, MarkSecret, PaymentEvent, Receipt, SentEvent,
    StatusEvent, WalletQuestion, WalletRequest,
};

use super::World;
use crate::support::{RECEIPT, answer, key, offered, ok, payment_record_in, text, token_record};

/// The proxy's response to any request.
#[derive(Clone, Debug)]
pub(in super::super) enum Reply {
    /// As documented.
    Well {
        status: String,
        /// What the proxy says about the status; empty if it does not say.
        state: &'static str,
        has_receipt: bool,
    },
    /// Anything else.
    Badly(FetchResult),
}

/// An open request.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    Tokens,
    Find,
    Create(AttemptKey),
    Cancel(String),
    Status(String),
    Receipt(String, String),
    Secret(String),
    Mark(String, String),
    Unmark(String, String),
    /// What a wallet is asked before the money: the payment, the request, the number of the question, and the question.
    Question(String, WalletRequest, u32, WalletQuestion),
    Wallet(String, WalletRequest),
}

impl Asked {
    pub(super) fn is_of_wallet(&self) -> bool {
        matches!(self, Self::Question(..) | Self::Wallet(..))
    }
}

/// The record of the payment `id`, in this token.
fn record(
    id: &str,
    token: &str,
    status: &str,
    state: &str,
    has_receipt: bool,
    is_sent: bool,
) -> String {
    // With these statuses, there is money for another payment of the order, too.
    let (order_seen, order_paid) = (status == "Seen", status == "Paid" && state == "open");
    let flags = [order_seen, order_paid, is_sent].map(|flag| flag.to_string());
    let (id, status, state) = (text(id), text(status), text(state));
    let mut fields = vec![
        ("transactionId", id.as_str()),
        ("statusText", &status),
        ("state", &state),
        ("orderSeen", &flags[0]),
        ("orderPaid", &flags[1]),
        ("sent", &flags[2]),
    ];
    fields.extend(Some(RECEIPT).filter(|_| has_receipt));
    payment_record_in(token, &fields)
}

impl World {
    /// The record of the payment `id`.
    pub(super) fn record(&self, id: &str, status: &str, state: &str, has_receipt: bool) -> String {
        let is_own = self.marks.keys().any(|(of, _)| of == id);
        let is_sent = is_own || self.is_marked_elsewhere;
        record(id, self.token_of(id), status, state, has_receipt, is_sent)
    }

    /// Responds to a request.
    pub(super) fn answer(&mut self, asked: Asked, reply: Reply) {
        let body = |reply: Reply, well: &dyn Fn(String, &str, bool) -> String| match reply {
            Reply::Well {
                status,
                state,
                has_receipt,
            } => ok(well(status, state, has_receipt)),
            Reply::Badly(answered) => answered,
        };
        match asked {
            Asked::Tokens => {
                let bnb = token_record("bnb", &[("decimals", "null")]);
                let answered = body(reply, &|_, _, _| {
                    offered().replace(']', &format!(",{bnb}]"))
                });
                self.on(Event::TokensFetched(answered));
            }
            Asked::Find => self.answer_look_up(reply),
            Asked::Create(AttemptKey(name)) => {
                let id = format!("payment of {name}");
                let answered = body(reply, &|status, state, has_receipt| {
                    self.record(&id, &status, state, has_receipt)
                });
                self.on(FormEvent::CreateFinished(key(&name), answered));
            }
            Asked::Cancel(id) => {
                let answered = body(reply, &|status, state, _| {
                    format!("[{}]", self.record(&id, &status, state, false))
                });
                self.on(PaymentEvent::CancelFinished(id, answered));
            }
            Asked::Status(id) => {
                let answered = body(reply, &|status, state, _| {
                    self.record(&id, &status, state, false)
                });
                self.on(StatusEvent::Fetched(id, answered));
            }
            Asked::Receipt(id, hash) => {
                let receipt = match reply {
                    Reply::Well { .. } => Receipt::Unknown,
                    Reply::Badly(Ok(_)) => Receipt::Succeeded,
                    Reply::Badly(Err(_)) => Receipt::Failed,
                };
                if receipt == Receipt::Failed {
                    self.sends.retain(|(of, _)| *of != id);
                }
                self.on(SentEvent::ReceiptRead(id, hash, receipt));
            }
            Asked::Secret(id) => {
                self.secrets += 1;
                let secret = MarkSecret(format!("secret {}", self.secrets));
                self.on(SentEvent::SecretChosen(id, secret));
            }
            Asked::Mark(id, secret) => {
                // What is lost may have been done.
                let is_set = matches!(reply, Reply::Well { .. } | Reply::Badly(Err(_)));
                let is_first = !self.is_marked_elsewhere;
                let mut first = is_first;
                if is_set && id != "unknown" {
                    let mark = (id.clone(), secret);
                    first = *self.marks.entry(mark).or_insert(is_first);
                }
                let answered = body(reply, &|_, _, _| {
                    format!(r#"{{"first":{first},"removable":true}}"#)
                });
                self.on(SentEvent::MarkFinished(id, answered));
            }
            Asked::Unmark(id, secret) => {
                if matches!(reply, Reply::Well { .. } | Reply::Badly(Err(_))) {
                    self.marks.remove(&(id.clone(), secret.clone()));
                }
                let answered = body(reply, &|_, _, _| String::new());
                self.on(SentEvent::UnmarkFinished(id, MarkSecret(secret), answered));
            }
            asked @ (Asked::Question(..) | Asked::Wallet(..)) => {
                self.answer_of_wallet(asked, &reply);
            }
        }
    }

    /// Responds to the look-up of the order's payment: the one of this tab, or one from elsewhere in Bitcoin.
    pub(super) fn answer_look_up(&mut self, reply: Reply) {
        let answered = match reply {
            Reply::Well {
                status,
                state,
                has_receipt: true,
            } => {
                let id = self.live.clone().unwrap_or("elsewhere".to_owned());
                let token = self.token_of(&id);
                let record = self.record(&id, &status, state, true);
                let fields = format!(
                    r#","paymentTokenCode":"{token}","outdated":{}}}"#,
                    status == "Cancelled",
                );
                ok(record.replace('}', &fields))
            }
            Reply::Well { .. } => answer(204, ""),
            Reply::Badly(answered) => answered,
        };
        self.on(Event::FindFinished(answered));
    }

    /// The token of the payment with this id.
    pub(super) fn token_of(&self, id: &str) -> &str {
        if id == "elsewhere" {
            return "btc";
        }
        let attempt = id
            .strip_prefix("payment of ")
            .and_then(|name| self.attempts.get(name));
        attempt.map_or("trx", |(attempt, _)| attempt.choice.code.as_str())
    }
}
