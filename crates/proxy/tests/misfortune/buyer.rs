//! Buyers, who ask until they get an answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;
use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tender_protocol::{Payment, Problem, path};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::instance::ORDER_KEY;

const TOKENS: [&str; 4] = ["trx", "btc", "bnb", "usdte"];

const ANSWERED: &str = "answered";

/// What a buyer waits for an answer, and for a payment at most.
const PATIENCE: Duration = Duration::from_secs(10);
const AT_MOST: Duration = Duration::from_mins(3);

/// The pages' way to the instances, and what came back.
pub(crate) struct Checkout {
    addresses: Vec<String>,
    http: Client,
    answers: Mutex<BTreeMap<String, usize>>,
}

/// What a buyer does with an order.
pub(crate) struct Story {
    number: usize,
    order: String,
    plot: Plot,
    random: Rng,
}

enum Plot {
    /// Pays in one token.
    Pays,
    /// Has the page open so many times, and pays in each.
    Tabs(usize),
    /// Gets a payment, and then prefers another token, so many times.
    ChangesMind(usize),
    /// Chooses different tokens in two tabs at the same time, and then decides for one.
    Wavers,
}

/// What a buyer was told in the end: the payments that may be paid.
pub(crate) struct Told {
    pub(crate) invoice: String,
    pub(crate) payments: Vec<String>,
    last: Value,
}

/// The payment of a request; `None` where another choice took its place.
type Answered = Option<String>;

impl Checkout {
    pub(crate) fn new(addresses: Vec<String>) -> Self {
        let http = Client::builder().timeout(PATIENCE).build().unwrap();
        let answers = Mutex::default();
        Self {
            addresses,
            http,
            answers,
        }
    }

    /// How many requests got a payment.
    pub(crate) fn answered(&self) -> usize {
        let answers = self.answers.lock().unwrap();
        answers.get(ANSWERED).copied().unwrap_or(0)
    }

    /// How many answers of each kind there were.
    pub(crate) fn summary(&self) -> String {
        let answers = self.answers.lock().unwrap();
        let all: usize = answers.values().sum();
        let kinds: Vec<_> = answers
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        format!("buyers: {all} requests: {}", kinds.join(", "))
    }

    /// Asks one instance or another until one gives an answer.
    async fn pay(&self, body: Value, mut random: Rng) -> Answered {
        let key = format!("{:016x}", random.u64(..));
        let deadline = Instant::now() + AT_MOST;
        while Instant::now() < deadline {
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let (kind, answer) = self.ask(address, &key, &body).await;
            *self
                .answers
                .lock()
                .unwrap()
                .entry(kind.clone())
                .or_default() += 1;
            match answer {
                Some(transaction_id) => return Some(transaction_id),
                None if kind == "attempt-ended" => return None,
                None => sleep(Duration::from_millis(random.u64(50..400))).await,
            }
        }
        panic!("no payment in {AT_MOST:?}: {body}");
    }

    async fn ask(&self, address: &str, key: &str, body: &Value) -> (String, Answered) {
        let request = self
            .http
            .post(format!("{address}{}", path::PAYMENT))
            .json(body);
        let answer = match request.header("idempotency-key", key).send().await {
            Ok(answer) => answer,
            Err(error) if error.is_timeout() => return ("without an answer".to_owned(), None),
            Err(_) => return ("without an instance".to_owned(), None),
        };
        let status = answer.status();
        let Ok(text) = answer.text().await else {
            return ("cut short".to_owned(), None);
        };
        if status == StatusCode::OK {
            let payment = Payment::parse(&text).unwrap();
            return (ANSWERED.to_owned(), Some(payment.transaction_id));
        }
        let problem: Problem = serde_json::from_str(&text).unwrap();
        (problem.code.as_str().to_owned(), None)
    }

    /// Asks once more, of this instance, when all is calm.
    pub(crate) async fn confirm(&self, told: &Told, address: &str) {
        let deadline = Instant::now() + AT_MOST;
        while Instant::now() < deadline {
            let (_, answer) = self.ask(address, &told.invoice, &told.last).await;
            if let Some(answer) = answer {
                assert_eq!(Some(&answer), told.payments.last());
                return;
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("{address} does not answer");
    }
}

impl Story {
    pub(crate) fn draw(number: usize, random: &mut Rng) -> Self {
        let claims = json!({
            "token": "usdtt",
            "quantity": "25.00",
            "invoiceNumber": invoice(number),
            "exp": get_current_timestamp() + 3600,
        });
        let key = EncodingKey::from_secret(ORDER_KEY.as_bytes());
        let plot = match random.u32(0..100) {
            0..55 => Plot::Pays,
            55..75 => Plot::Tabs(random.usize(2..4)),
            75..90 => Plot::ChangesMind(random.usize(1..3)),
            _ => Plot::Wavers,
        };
        Self {
            number,
            order: encode(&Header::default(), &claims, &key).unwrap(),
            plot,
            random: random.fork(),
        }
    }

    pub(crate) async fn live(mut self, checkout: Arc<Checkout>) -> Told {
        let mut choice = self.random.usize(..TOKENS.len());
        let body = |choice: usize| {
            let token = TOKENS[choice % TOKENS.len()];
            json!({ "order": self.order, "paymentToken": token })
        };
        let mut pay = |choice| {
            let (checkout, random) = (Arc::clone(&checkout), self.random.fork());
            let body = body(choice);
            async move { checkout.pay(body, random).await }
        };
        let payments = match self.plot {
            Plot::Pays => vec![pay(choice).await],
            Plot::Tabs(tabs) => {
                let tabs: JoinSet<_> = (0..tabs).map(|_| pay(choice)).collect();
                tabs.join_all().await
            }
            Plot::ChangesMind(times) => {
                let mut payment = pay(choice).await;
                for _ in 0..times {
                    choice += 1;
                    payment = pay(choice).await;
                }
                vec![payment]
            }
            Plot::Wavers => {
                let (one, other) = tokio::join!(pay(choice), pay(choice + 1));
                assert!(one.is_some() || other.is_some(), "one was the last choice");
                vec![pay(choice).await]
            }
        };
        let payments = payments
            .into_iter()
            .map(|payment| payment.expect("a payment"));
        Told {
            invoice: invoice(self.number),
            payments: payments.collect(),
            last: body(choice),
        }
    }
}

fn invoice(number: usize) -> String {
    format!("INV-{number}")
}
