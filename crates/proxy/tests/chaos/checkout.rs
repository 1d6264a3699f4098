//! A client of the proxy, which repeats requests until they get a result.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tender_protocol::{Payment, Problem, path};
use tender_sandbox::Controls;
use tokio::time::sleep;

use crate::instance::MERCHANT_KEY;

const ANSWERED: &str = "answered";

/// The timeout of a request, and of a payment with all its repeats.
const TIMEOUT: Duration = Duration::from_secs(10);
const PAYMENT_TIMEOUT: Duration = Duration::from_mins(10);

/// How often a buyer or the merchant tries what may not be possible. A proxy reads the list five times a minute for each.
const TRIES: usize = 3;

/// A client of all instances, which counts the responses, and the disruptions of the instances.
pub(crate) struct Checkout {
    addresses: Vec<String>,
    pub(crate) service: Controls,
    http: Client,
    answers: Counts,
    pub(crate) disruptions: Counts,
}

/// How many there were of each kind.
#[derive(Default)]
pub(crate) struct Counts(Mutex<BTreeMap<String, usize>>);

impl Counts {
    pub(crate) fn add(&self, kind: &str) {
        let mut counts = self.0.lock().unwrap();
        *counts.entry(kind.to_owned()).or_default() += 1;
    }

    fn of(&self, kind: &str) -> usize {
        self.0.lock().unwrap().get(kind).copied().unwrap_or(0)
    }

    fn listed(&self) -> String {
        let counts = self.0.lock().unwrap();
        let counts = counts.iter().map(|(kind, count)| format!("{count} {kind}"));
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// The payments that the buyer was shown in the end.
pub(crate) struct BuyerResult {
    pub(crate) invoice: String,
    pub(crate) payments: Vec<String>,
    pub(crate) last: Value,
}

/// The payment of a request; `None` if another choice has replaced it.
pub(crate) type Answered = Option<String>;

/// The payment that a buyer's pages were shown last, and its receipt, with which they may replace it.
pub(crate) type Shown = Arc<Mutex<Option<(String, String)>>>;

impl Checkout {
    pub(crate) fn new(addresses: Vec<String>, service: Controls) -> Self {
        let http = Client::builder().timeout(TIMEOUT).build().unwrap();
        Self {
            addresses,
            service,
            http,
            answers: Counts::default(),
            disruptions: Counts::default(),
        }
    }

    /// How many requests got a payment.
    pub(crate) fn answered(&self) -> usize {
        self.answers.of(ANSWERED)
    }

    /// The number of disruptions and of responses of each kind.
    pub(crate) fn summary(&self) -> String {
        let (instances, buyers) = (self.disruptions.listed(), self.answers.listed());
        format!("instances: {instances}\n  buyers: {buyers}")
    }

    /// Repeats the request at random instances until there is a result.
    pub(crate) async fn pay(&self, body: Value, shown: Shown, mut random: Rng) -> Answered {
        let key = format!("{:016x}", random.u64(..));
        let deadline = Instant::now() + PAYMENT_TIMEOUT;
        let mut last = String::new();
        while Instant::now() < deadline {
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let (kind, answer) = self.ask(address, &key, &body, &shown).await;
            self.answers.add(&kind);
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
    pub(crate) async fn pays_no_more(&self, body: &Value, shown: &Shown, random: &mut Rng) {
        for _ in 0..TRIES {
            let key = format!("{:016x}", random.u64(..));
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let (_, answer) = self.ask(address, &key, body, shown).await;
            assert_eq!(answer, None, "another payment: {body}");
        }
    }

    /// Marks that money may have been sent for a payment.
    pub(crate) async fn mark(&self, id: &str, receipt: &str, random: &mut Rng) {
        let deadline = Instant::now() + PAYMENT_TIMEOUT;
        // The mark is never removed, so its secret is not needed.
        let digest = format!("{:064x}", random.u64(..));
        while Instant::now() < deadline {
            let address = &self.addresses[random.usize(..self.addresses.len())];
            let url = format!("{address}{}/{id}{}/{digest}", path::PAYMENT, path::SENT);
            let marking = self.http.put(url).bearer_auth(receipt);
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
    pub(crate) async fn merchant_cancels(&self, id: &str, random: &mut Rng) -> bool {
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
