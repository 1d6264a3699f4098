//! Buyers, who repeat their requests until they get a result.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;
use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tender_protocol::{Payment, Problem, Status, path};
use tender_sandbox::Controls;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::instance::{MERCHANT_KEY, ORDER_KEY, PAID};

const TOKENS: [&str; 4] = ["trx", "btc", "bnb", "usdte"];

const ANSWERED: &str = "answered";

/// The timeout of a request, and of a payment with all its repeats.
const TIMEOUT: Duration = Duration::from_secs(10);
const PAYMENT_TIMEOUT: Duration = Duration::from_mins(3);

/// How often a buyer or the merchant tries what may not be possible. A proxy reads the list five times a minute for each.
const TRIES: usize = 3;

/// A client of all instances, which counts the responses.
pub(crate) struct Checkout {
    addresses: Vec<String>,
    service: Controls,
    http: Client,
    answers: Mutex<BTreeMap<String, usize>>,
}

/// What a buyer does with an order.
pub(crate) struct Scenario {
    number: usize,
    order: String,
    steps: Steps,
    random: Rng,
}

enum Steps {
    /// Pays in one token.
    OneToken,
    /// Opens the page in several tabs and pays in each.
    Tabs(usize),
    /// Gets a payment and then chooses another token, several times.
    ChangesToken(usize),
    /// Chooses different tokens in two tabs at the same time, and then decides on one.
    ConcurrentChoices,
    /// Says that money may have been sent, and then asks for another token.
    MarksAsSent,
    /// The service says that the payment is paid. Then the buyer asks for another token, and the merchant cancels.
    IsPaid,
    /// The merchant cancels the payment, and the buyer pays again.
    MerchantCancels,
}

/// The payments that the buyer was shown in the end.
pub(crate) struct BuyerResult {
    pub(crate) invoice: String,
    pub(crate) payments: Vec<String>,
    last: Value,
}

/// The payment of a request; `None` if another choice has replaced it.
type Answered = Option<String>;

/// The payment that a buyer's pages were shown last, and its receipt, with which they may replace it.
type Shown = Arc<Mutex<Option<(String, String)>>>;

impl Checkout {
    pub(crate) fn new(addresses: Vec<String>, service: Controls) -> Self {
        let http = Client::builder().timeout(TIMEOUT).build().unwrap();
        let answers = Mutex::default();
        Self {
            addresses,
            service,
            http,
            answers,
        }
    }

    /// How many requests got a payment.
    pub(crate) fn answered(&self) -> usize {
        let answers = self.answers.lock().unwrap();
        answers.get(ANSWERED).copied().unwrap_or(0)
    }

    /// The number of responses of each kind.
    pub(crate) fn summary(&self) -> String {
        let answers = self.answers.lock().unwrap();
        let all: usize = answers.values().sum();
        let kinds: Vec<_> = answers
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        format!("buyers: {all} requests: {}", kinds.join(", "))
    }

    /// Repeats the request at random instances until there is a result.
    async fn pay(&self, body: Value, shown: Shown, mut random: Rng) -> Answered {
        let key = format!("{:016x}", random.u64(..));
        let deadline = Instant::now() + PAYMENT_TIMEOUT;
        let mut last = String::new();
        while Instant::now() < deadline {
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let (kind, answer) = self.ask(address, &key, &body, &shown).await;
            *self
                .answers
                .lock()
                .unwrap()
                .entry(kind.clone())
                .or_default() += 1;
            last.clone_from(&kind);
            match answer {
                Some(transaction_id) => return Some(transaction_id),
                None if kind == "attempt-ended" => return None,
                None => sleep(Duration::from_millis(random.u64(50..400))).await,
            }
        }
        panic!("no payment in {PAYMENT_TIMEOUT:?}, but {last}: {body}");
    }

    /// Asks for another payment of an order whose payment can't be replaced.
    async fn pays_no_more(&self, body: &Value, shown: &Shown, random: &mut Rng) {
        for _ in 0..TRIES {
            let key = format!("{:016x}", random.u64(..));
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let (_, answer) = self.ask(address, &key, body, shown).await;
            assert_eq!(answer, None, "another payment: {body}");
        }
    }

    /// Marks that money may have been sent for a payment.
    async fn mark(&self, id: &str, receipt: &str, random: &mut Rng) {
        let deadline = Instant::now() + PAYMENT_TIMEOUT;
        while Instant::now() < deadline {
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let url = format!("{address}{}/{id}{}", path::PAYMENT, path::SENT);
            let marking = self.http.post(url).bearer_auth(receipt).json(&json!({}));
            if let Ok(answer) = marking.send().await
                && answer.status() == StatusCode::OK
            {
                return;
            }
            sleep(Duration::from_millis(random.u64(50..400))).await;
        }
        panic!("{id} can't be marked");
    }

    /// The merchant asks to cancel a payment. Returns whether an answer said that it is cancelled.
    async fn merchant_cancels(&self, id: &str, random: &mut Rng) -> bool {
        for _ in 0..TRIES {
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let request = self.http.post(format!("{address}{}", path::CANCEL));
            let request = request.bearer_auth(MERCHANT_KEY);
            let answer = request.json(&json!({ "transactionId": id })).send().await;
            if answer.is_ok_and(|answer| answer.status() == StatusCode::OK) {
                return true;
            }
        }
        false
    }

    async fn ask(
        &self,
        address: &str,
        key: &str,
        body: &Value,
        shown: &Shown,
    ) -> (String, Answered) {
        let mut request = self.http.post(format!("{address}{}", path::PAYMENT));
        let mut body = body.clone();
        if let Some((id, receipt)) = shown.lock().unwrap().clone() {
            body["replaces"] = json!(id);
            request = request.bearer_auth(receipt);
        }
        let request = request.json(&body);
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
            let id = Payment::parse(&text).unwrap().transaction_id;
            let record: Value = serde_json::from_str(&text).unwrap();
            let receipt = record["receipt"].as_str().unwrap().to_owned();
            *shown.lock().unwrap() = Some((id.clone(), receipt));
            return (ANSWERED.to_owned(), Some(id));
        }
        let problem: Problem = serde_json::from_str(&text).unwrap();
        (problem.code.as_str().to_owned(), None)
    }

    /// Checks that this instance gives the same result after all faults.
    pub(crate) async fn confirm(&self, results: &BuyerResult, address: &str) {
        let deadline = Instant::now() + PAYMENT_TIMEOUT;
        while Instant::now() < deadline {
            let (_, answer) = self
                .ask(address, &results.invoice, &results.last, &Shown::default())
                .await;
            if let Some(answer) = answer {
                assert_eq!(Some(&answer), results.payments.last());
                return;
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("{address} does not answer");
    }
}

impl Scenario {
    pub(crate) fn random(number: usize, random: &mut Rng) -> Self {
        let claims = json!({
            "token": "usdtt",
            "quantity": "25.00",
            "invoiceNumber": invoice(number),
            "exp": get_current_timestamp() + 3600,
        });
        let key = EncodingKey::from_secret(ORDER_KEY.as_bytes());
        let steps = match random.u32(0..100) {
            0..35 => Steps::OneToken,
            35..52 => Steps::Tabs(random.usize(2..4)),
            52..65 => Steps::ChangesToken(random.usize(1..3)),
            65..74 => Steps::ConcurrentChoices,
            74..82 => Steps::MarksAsSent,
            82..91 => Steps::IsPaid,
            _ => Steps::MerchantCancels,
        };
        Self {
            number,
            order: encode(&Header::default(), &claims, &key).unwrap(),
            steps,
            random: random.fork(),
        }
    }

    pub(crate) async fn run(mut self, checkout: Arc<Checkout>) -> BuyerResult {
        let shown = Shown::default();
        let mut choice = self.random.usize(..TOKENS.len());
        let mut meddler = self.random.fork();
        let body = |choice: usize| {
            let token = TOKENS[choice % TOKENS.len()];
            json!({ "order": self.order, "paymentToken": token })
        };
        let mut pay = |choice| {
            let (checkout, random) = (Arc::clone(&checkout), self.random.fork());
            let (body, shown) = (body(choice), Arc::clone(&shown));
            async move { checkout.pay(body, shown, random).await }
        };
        let payments = match self.steps {
            Steps::OneToken => vec![pay(choice).await],
            Steps::Tabs(tabs) => {
                let tabs: JoinSet<_> = (0..tabs).map(|_| pay(choice)).collect();
                tabs.join_all().await
            }
            Steps::ChangesToken(times) => {
                let mut payment = pay(choice).await;
                for _ in 0..times {
                    choice += 1;
                    payment = pay(choice).await;
                }
                vec![payment]
            }
            Steps::ConcurrentChoices => {
                let (one, other) = tokio::join!(pay(choice), pay(choice + 1));
                assert!(one.is_some() || other.is_some(), "one was the last choice");
                vec![pay(choice).await]
            }
            Steps::MarksAsSent => {
                let payment = pay(choice).await;
                let (id, receipt) = shown.lock().unwrap().clone().expect("a payment");
                checkout.mark(&id, &receipt, &mut meddler).await;
                let other = body(choice + 1);
                checkout.pays_no_more(&other, &shown, &mut meddler).await;
                vec![payment]
            }
            Steps::IsPaid => {
                let payment = pay(choice).await;
                let id = payment.clone().expect("a payment");
                let paid = Status::new("2", PAID).unwrap();
                checkout.service.set_status(&id, paid).unwrap();
                let other = body(choice + 1);
                checkout.pays_no_more(&other, &shown, &mut meddler).await;
                let is_cancelled = checkout.merchant_cancels(&id, &mut meddler).await;
                assert!(!is_cancelled, "{id} was paid");
                vec![payment]
            }
            Steps::MerchantCancels => {
                let first = pay(choice).await.expect("a payment");
                checkout.merchant_cancels(&first, &mut meddler).await;
                vec![pay(choice).await]
            }
        };
        let payments = payments
            .into_iter()
            .map(|payment| payment.expect("a payment"));
        BuyerResult {
            invoice: invoice(self.number),
            payments: payments.collect(),
            last: body(choice),
        }
    }
}

fn invoice(number: usize) -> String {
    format!("INV-{number}")
}
