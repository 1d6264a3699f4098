//! A simulated service whose list can change between any two requests, and the state of an element
//! that uses it.

use std::collections::VecDeque;

use serde_json::{Value, json};
use tender_payments_core::{
    Dashboard, Effect, Event, Filter, HostEvent, MerchantKey, Request, State, step,
};
use tender_protocol::client::{FetchResult, HttpResponse};
use tender_protocol::{PAGE_SIZE, Payment};

/// Responds to a request for notifications, of a payment or of all.
pub(crate) type Deliveries = Box<dyn Fn(Option<&str>) -> FetchResult>;

pub(crate) struct Simulation {
    /// Newest first.
    pub(crate) list: Vec<Value>,
    pub(crate) state: State,
    /// Requests without a response yet.
    pub(crate) requests: VecDeque<(Option<MerchantKey>, Request)>,
    pub(crate) emitted: Vec<HostEvent>,
    /// All other effects.
    pub(crate) others: Vec<Effect>,
    /// After which payment each part of the list was requested.
    pub(crate) cursors: Vec<Option<String>>,
    /// Responds to a cancel request.
    pub(crate) cancel: fn(&mut Vec<Value>, &str) -> FetchResult,
    pub(crate) deliveries: Deliveries,
    /// Responds to a request to send a notification again.
    pub(crate) resend: fn(&str) -> FetchResult,
    /// The requests for notifications.
    pub(crate) delivery_requests: Vec<Option<String>>,
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
    respond(200, &body.to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "the result of a request")]
pub(crate) fn respond(status: u16, body: &str) -> FetchResult {
    Ok(HttpResponse {
        status,
        body: body.to_owned(),
    })
}

impl Simulation {
    pub(crate) fn with(payments: usize) -> Self {
        let mut simulation = Self {
            list: Vec::new(),
            state: State::default(),
            requests: VecDeque::new(),
            emitted: Vec::new(),
            others: Vec::new(),
            cursors: Vec::new(),
            cancel: |list, id| {
                let found = list.iter_mut().find(|row| row["transactionId"] == id);
                match found {
                    Some(row) => {
                        let before = row.clone();
                        row["statusId"] = json!("9");
                        row["statusText"] = json!("Cancelled");
                        ok(&json!([before]))
                    }
                    None => respond(
                        502,
                        r#"{"code":"service-refused","detail":"No such payment."}"#,
                    ),
                }
            },
            deliveries: Box::new(|_| respond(404, "")),
            resend: |_| respond(404, ""),
            delivery_requests: Vec::new(),
            created: 0,
        };
        simulation.create(payments);
        simulation
    }

    /// A simulation whose dashboard is shown.
    pub(crate) fn open(payments: usize) -> Self {
        let mut simulation = Self::with(payments);
        simulation.run(Event::Started(None));
        simulation
    }

    /// A simulation whose dashboard shows these records.
    pub(crate) fn of(records: impl IntoIterator<Item = Value>) -> Self {
        let mut simulation = Self::with(0);
        simulation.list = records.into_iter().collect();
        simulation.run(Event::Started(None));
        simulation
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
                Effect::Send(key, request) => self.requests.push_back((key, request)),
                Effect::Emit(event) => self.emitted.push(event),
                other => self.others.push(other),
            }
        }
    }

    /// Responds to the oldest request; returns `false` if there is none.
    pub(crate) fn respond_one(&mut self) -> bool {
        let Some((key, request)) = self.requests.pop_front() else {
            return false;
        };
        let result = match &request {
            Request::List { after, .. } => {
                self.cursors.push(after.clone());
                self.page(after.as_deref())
            }
            Request::Cancel(id) => (self.cancel)(&mut self.list, id),
            Request::Ledger(_) => respond(404, ""),
            Request::Deliveries(id) => {
                self.delivery_requests.push(id.clone());
                (self.deliveries)(id.as_deref())
            }
            Request::Resend(id) => (self.resend)(id),
            Request::ChangeOrder(..) | Request::SignOrder(_) => {
                panic!("the test has no response to {request:?}")
            }
        };
        self.send(Event::RequestFinished(key, request, result));
        true
    }

    /// Responds to a request that was sent without a key.
    pub(crate) fn finish(&mut self, request: Request, result: FetchResult) {
        self.send(Event::RequestFinished(None, request, result));
    }

    /// Changes what is searched for.
    pub(crate) fn filter(&mut self, change: impl FnOnce(&mut Filter)) {
        let mut filter = self.dashboard().filter.clone();
        change(&mut filter);
        self.run(Event::FilterChanged(filter));
    }

    pub(crate) fn search(&mut self, text: &str) {
        self.filter(|filter| text.clone_into(&mut filter.text));
    }

    /// The oldest request, which is one for the list, fails with this response.
    pub(crate) fn fail_list(&mut self, status: u16, body: &str) {
        let (key, request) = self.requests.pop_front().unwrap();
        assert!(matches!(request, Request::List { .. }), "{request:?}");
        self.send(Event::RequestFinished(key, request, respond(status, body)));
    }

    pub(crate) fn respond_all(&mut self) {
        for _ in 0..1000 {
            if !self.respond_one() {
                return;
            }
        }
        panic!("the requests never end");
    }

    pub(crate) fn run(&mut self, event: Event) {
        self.send(event);
        self.respond_all();
    }

    /// Responds as the proxy does: with the rest of the service's page, or with the whole next one.
    fn page(&self, after: Option<&str>) -> FetchResult {
        let place = |id| self.list.iter().position(|row| row["transactionId"] == id);
        let start = match after.map(place) {
            None => 0,
            Some(Some(place)) => place + 1,
            Some(None) => return respond(404, r#"{"code":"cursor-unknown"}"#),
        };
        let rest = PAGE_SIZE - start % PAGE_SIZE;
        let page: Vec<_> = self.list.iter().skip(start).take(rest).collect();
        ok(&json!(page))
    }

    pub(crate) fn dashboard(&self) -> &Dashboard {
        match &self.state {
            State::Ready(dashboard) => dashboard,
            other => panic!("the dashboard is not shown: {other:?}"),
        }
    }

    /// The `transactionId`s on the current page.
    pub(crate) fn shown(&self) -> Vec<String> {
        self.dashboard()
            .on_page()
            .map(|row| row.transaction_id.clone())
            .collect()
    }

    /// The `transactionId`s in the service's list, newest first.
    pub(crate) fn all(&self) -> Vec<String> {
        let ids = self.list.iter().map(|row| row["transactionId"].as_str());
        ids.map(|id| id.unwrap().to_owned()).collect()
    }

    /// The `transactionId`s of all loaded payments.
    pub(crate) fn loaded(&self) -> Vec<String> {
        let payments = self.dashboard().list.payments();
        payments
            .iter()
            .map(|row| row.transaction_id.clone())
            .collect()
    }
}
