//! A service whose list can change between any two requests, and an element in front of it.

use std::collections::VecDeque;

use serde_json::{Value, json};
use tender_client::{FetchResult, HttpResponse};
use tender_payments_core::{Ask, Desk, Effect, Event, HostEvent, State, step};
use tender_protocol::{PAGE_SIZE, Payment};

/// How the service answers a page past the end: none of it is documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PastTheEnd {
    Empty,
    LastPage,
    Refusal,
}

pub(crate) struct World {
    /// Newest first.
    pub(crate) list: Vec<Value>,
    pub(crate) past_the_end: PastTheEnd,
    pub(crate) state: State,
    /// What waits for an answer.
    pub(crate) requests: VecDeque<Effect>,
    pub(crate) told: Vec<HostEvent>,
    /// Effects that are no requests.
    pub(crate) others: Vec<Effect>,
    /// Pages that were asked for.
    pub(crate) pages: Vec<u32>,
    /// Answers the cancellation of a payment.
    pub(crate) cancel: fn(&mut Vec<Value>, &str) -> FetchResult,
    created: usize,
}

/// A record as the service writes it.
pub(crate) fn record(number: usize) -> Value {
    json!({
        "transactionId": format!("t-{number}"), "token": "USDT", "paymentToken": "TRX",
        "quantity": 48.5, "quantityPay": 150.25, "priceUsd": 48.5,
        "invoiceNumber": format!("INV-{number}"), "purchaseEmail": format!("buyer-{number}@example.com"),
        "statusId": "1", "statusText": "Created", "wallet": "TWallet", "createdAt": "2026/11/21",
    })
}

pub(crate) fn payment(record: &Value) -> Payment {
    Payment::parse(&record.to_string()).unwrap()
}

pub(crate) fn ok(body: &Value) -> FetchResult {
    answer(200, &body.to_string())
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "what the element is told of a request"
)]
pub(crate) fn answer(status: u16, body: &str) -> FetchResult {
    Ok(HttpResponse {
        status,
        body: body.to_owned(),
    })
}

impl World {
    pub(crate) fn with(payments: usize) -> Self {
        let mut world = Self {
            list: Vec::new(),
            past_the_end: PastTheEnd::Empty,
            state: State::new(),
            requests: VecDeque::new(),
            told: Vec::new(),
            others: Vec::new(),
            pages: Vec::new(),
            cancel: |list, id| {
                let found = list.iter_mut().find(|row| row["transactionId"] == id);
                match found {
                    Some(row) => {
                        let before = row.clone();
                        row["statusId"] = json!("9");
                        row["statusText"] = json!("Cancelled");
                        ok(&json!([before]))
                    }
                    None => answer(
                        502,
                        r#"{"code":"service-refused","detail":"No such payment."}"#,
                    ),
                }
            },
            created: 0,
        };
        world.create(payments);
        world
    }

    /// An element that has opened its list.
    pub(crate) fn open(payments: usize) -> Self {
        let mut world = Self::with(payments);
        world.send(Event::Started(None));
        world.answer_all();
        world
    }

    /// Buyers create payments.
    pub(crate) fn create(&mut self, payments: usize) {
        for _ in 0..payments {
            self.created += 1;
            self.list.insert(0, record(self.created));
        }
    }

    pub(crate) fn send(&mut self, event: Event) {
        let state = std::mem::take(&mut self.state);
        let (state, effects) = step(state, event);
        self.state = state;
        for effect in effects {
            match effect {
                Effect::ReadList(_) | Effect::Cancel { .. } | Effect::ReadLedger { .. } => {
                    self.requests.push_back(effect);
                }
                Effect::Tell(event) => self.told.push(event),
                other => self.others.push(other),
            }
        }
    }

    /// Answers the request that has waited longest; `false` where there is none.
    pub(crate) fn answer_one(&mut self) -> bool {
        let Some(request) = self.requests.pop_front() else {
            return false;
        };
        let event = match request {
            Effect::ReadList(ask) => {
                self.pages.push(ask.page);
                let answered = self.page(&ask);
                Event::ListAnswered(ask, answered)
            }
            Effect::Cancel { transaction_id, .. } => {
                let answered = (self.cancel)(&mut self.list, &transaction_id);
                Event::CancelAnswered(transaction_id, answered)
            }
            Effect::ReadLedger { key, .. } => Event::LedgerAnswered(key, answer(404, "")),
            other => panic!("{other:?} is no request"),
        };
        self.send(event);
        true
    }

    pub(crate) fn answer_all(&mut self) {
        for _ in 0..1000 {
            if !self.answer_one() {
                return;
            }
        }
        panic!("it asks and asks");
    }

    pub(crate) fn does(&mut self, event: Event) {
        self.send(event);
        self.answer_all();
    }

    fn page(&self, ask: &Ask) -> FetchResult {
        let pages: Vec<_> = self.list.chunks(PAGE_SIZE).collect();
        match pages.get(ask.page as usize - 1) {
            Some(page) => ok(&json!(page)),
            None if ask.page == 1 => ok(&json!([])),
            None => match self.past_the_end {
                PastTheEnd::Empty => ok(&json!([])),
                PastTheEnd::LastPage => ok(&json!(pages.last().copied().unwrap_or_default())),
                PastTheEnd::Refusal => answer(502, r#"{"code":"service-refused"}"#),
            },
        }
    }

    pub(crate) fn desk(&self) -> &Desk {
        match &self.state {
            State::Open(desk) => desk,
            other => panic!("the list is not open: {other:?}"),
        }
    }

    /// `transactionId`s of what is on the page.
    pub(crate) fn shown(&self) -> Vec<String> {
        self.desk()
            .shown()
            .map(|row| row.transaction_id.clone())
            .collect()
    }

    /// `transactionId`s of the service's list, newest first.
    pub(crate) fn all(&self) -> Vec<String> {
        let ids = self.list.iter().map(|row| row["transactionId"].as_str());
        ids.map(|id| id.unwrap().to_owned()).collect()
    }

    /// `transactionId`s of all that was read.
    pub(crate) fn read(&self) -> Vec<String> {
        let payments = self.desk().book.payments();
        payments
            .iter()
            .map(|row| row.transaction_id.clone())
            .collect()
    }
}
