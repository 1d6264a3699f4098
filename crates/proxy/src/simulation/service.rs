//! The payment service: what its document says, and what it does not exclude.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use axum::http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::buyers::BUYER;
use super::doors;
use super::history::{Event, History, Payment};
use super::script::{Endpoint, Fate, ORDERS, Oddity, Order, Status, Which};
use super::shop;

const PAGE: usize = 20;

const MINUTE: Duration = Duration::from_mins(1);

/// How much later a payment is listed: also of a request that is executed late, before `upstream_settle_seconds` are over.
const LAG: Duration = Duration::from_millis(900);

/// More calls to the list within a minute are noted: the poller has fewer.
const OFTEN: usize = 60;

pub(super) struct Service {
    /// Oldest first.
    payments: Vec<Known>,
    /// The number of the first page of the list.
    pub(super) first_page: u32,
    /// The number that the proxy takes for that of the first page.
    pub(super) first_page_of_proxy: u32,
    /// Whether the list lacks the newest payments.
    pub(super) lags: bool,
    /// When the list was asked for within the last minute.
    list_calls: VecDeque<Duration>,
    fates: BTreeMap<Endpoint, VecDeque<Fate>>,
    /// Requests whose connection was lost, and when they are executed.
    on_the_way: Vec<(Duration, Request)>,
}

impl Default for Service {
    fn default() -> Self {
        Self {
            payments: Vec::new(),
            first_page: 1,
            first_page_of_proxy: 1,
            lags: false,
            list_calls: VecDeque::new(),
            fates: BTreeMap::new(),
            on_the_way: Vec::new(),
        }
    }
}

/// A payment, as the service has it.
pub(super) struct Known {
    /// The shop's order; `None` if another program created the payment.
    order: Option<Order>,
    invoice: String,
    pub(super) payment: Payment,
    payment_token: String,
    created: Duration,
    pub(super) status: Status,
    oddity: Oddity,
    /// Whether the answer to the request is still on its way.
    is_unanswered: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Request {
    Create {
        invoice: String,
        payment_token: String,
    },
    Cancel {
        id: String,
    },
    List {
        page: u32,
        /// Whether the answer is the page before, if there is one.
        repeats: bool,
    },
}

impl Request {
    pub(super) fn endpoint(&self) -> Endpoint {
        match self {
            Self::Create { .. } => Endpoint::Create,
            Self::Cancel { .. } => Endpoint::Cancel,
            Self::List { .. } => Endpoint::List,
        }
    }
}

/// An answer of the service, and what the proxy learns when it arrives.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: String,
    pub(super) tells: Vec<Event>,
}

impl Status {
    /// `statusId` and `statusText`.
    fn fields(self) -> (&'static str, &'static str) {
        match self {
            Self::Created => ("1", "Created"),
            Self::Paid => ("2", "Paid"),
            Self::Pending => ("3", "Confirming"),
            Self::Underpaid => ("4", "Partly paid"),
            Self::Cancelled => ("5", "Cancelled"),
            Self::Review => ("7", "Review"),
            Self::Expired => ("9", "Expired"),
        }
    }
}

impl Service {
    pub(super) fn will(&mut self, endpoint: Endpoint, fate: Fate) {
        self.fates.entry(endpoint).or_default().push_back(fate);
    }

    /// Answers everything at once from now on.
    pub(super) fn calm_down(&mut self) {
        self.fates.clear();
        self.lags = false;
        for known in &mut self.payments {
            if known.oddity.contradicts() {
                known.oddity = Oddity::None;
            }
        }
    }

    pub(super) fn next_fate(&mut self, endpoint: Endpoint) -> Option<Fate> {
        self.fates.get_mut(&endpoint)?.pop_front()
    }

    pub(super) fn execute_later(&mut self, request: Request, after: Duration) {
        self.on_the_way.push((doors::now() + after, request));
    }

    /// Executes what has arrived by now.
    pub(super) fn arrive(&mut self, history: &mut History) {
        let due = self
            .on_the_way
            .extract_if(.., |(due, _)| *due <= doors::now());
        for (due, request) in due.collect::<Vec<_>>() {
            let id = self.execute(request, history).0;
            self.answered(id.as_deref());
            if let (Some(_), Some(created)) = (id, self.payments.last_mut()) {
                created.created = due;
            }
        }
    }

    /// Executes a request. Returns the payment that it created, too, whose answer is on its way.
    pub(super) fn execute(
        &mut self,
        request: Request,
        history: &mut History,
    ) -> (Option<String>, Answer) {
        match request {
            Request::Create {
                invoice,
                payment_token,
            } => {
                let known = self.create(&invoice, payment_token);
                let (id, order) = (known.payment.id.clone(), known.order);
                let answer = Answer {
                    status: StatusCode::OK,
                    body: known.created_record().to_string(),
                    tells: vec![Event::CreateAnswered { id: id.clone() }],
                };
                if let Some(order) = order {
                    let payment = known.payment.clone();
                    history.add(Event::Created { order, payment });
                }
                (Some(id), answer)
            }
            Request::Cancel { id } => (None, self.cancel(&id, history)),
            Request::List { page, repeats } => {
                self.count_list_calls(history);
                (None, self.list(page, repeats))
            }
        }
    }

    /// Executes a request another time, without an answer.
    pub(super) fn execute_again(&mut self, request: Request, history: &mut History) {
        if let (Some(id), _) = self.execute(request, history) {
            self.answered(Some(&*id));
            history.add(Event::Doubled { id });
        }
    }

    /// The answer to the request that created this payment has arrived, or never will.
    pub(super) fn answered(&mut self, id: Option<&str>) {
        let created = self
            .payments
            .iter_mut()
            .find(|known| Some(&*known.payment.id) == id);
        if let Some(known) = created {
            known.is_unanswered = false;
        }
    }

    fn create(&mut self, invoice: &str, payment_token: String) -> &Known {
        let number = self.payments.len();
        let payment = Payment {
            id: format!("00000000-0000-4000-8000-{number:012}"),
            quote: format!("{}.5", 80 + number),
            wallet: format!("wallet{number}"),
        };
        self.payments.push(Known {
            order: shop::order_of(invoice),
            invoice: invoice.to_owned(),
            payment,
            payment_token,
            created: doors::now(),
            status: Status::Created,
            oddity: Oddity::None,
            is_unanswered: true,
        });
        &self.payments[number]
    }

    fn cancel(&mut self, id: &str, history: &mut History) -> Answer {
        let Some(known) = self
            .payments
            .iter_mut()
            .find(|known| known.payment.id == *id)
        else {
            return Answer::refusal(StatusCode::NOT_FOUND);
        };
        history.add(Event::CancelExecuted { id: id.to_owned() });
        // The documented response says "Created".
        let record = known.created_record();
        if known.status == Status::Created {
            known.status = Status::Cancelled;
        }
        Answer {
            status: StatusCode::OK,
            body: json!([record]).to_string(),
            tells: vec![],
        }
    }

    /// Notes how often the list was asked for within a minute, if that is often.
    fn count_list_calls(&mut self, history: &mut History) {
        let now = doors::now();
        self.list_calls.push_back(now);
        while (self.list_calls.front()).is_some_and(|then| *then + MINUTE < now) {
            self.list_calls.pop_front();
        }
        if self.list_calls.len() > OFTEN {
            history.add(Event::ListCalls(self.list_calls.len()));
        }
    }

    /// A page, newest first.
    fn list(&self, page: u32, repeats: bool) -> Answer {
        let lag = if self.lags { LAG } else { Duration::ZERO };
        let listed = self.payments.iter().rev();
        let listed = listed.skip_while(|known| known.created + lag > doors::now());
        let number = page.saturating_sub(self.first_page);
        let number = number.saturating_sub(repeats.into()) as usize;
        let on_page: Vec<_> = listed.skip(number * PAGE).take(PAGE).collect();
        let records: Vec<_> = on_page.iter().map(|known| known.listed_record()).collect();
        // The page before is read only to see whether there is one.
        let is_read = page >= self.first_page_of_proxy;
        let orders = on_page.iter();
        let orders = orders.filter(|known| is_read && known.order.is_some());
        let tells = orders.map(|known| Event::Listed {
            id: known.payment.id.clone(),
            status: known.status,
            is_odd: known.oddity.contradicts(),
        });
        Answer {
            status: StatusCode::OK,
            body: Value::from(records).to_string(),
            tells: tells.collect(),
        }
    }

    /// Creates payments for other programs.
    pub(super) fn crowd(&mut self, count: u8) {
        for _ in 0..count {
            let number = self.payments.len();
            self.create(&format!("OTHER-{number}"), "trx".to_owned());
            self.payments[number].is_unanswered = false;
        }
    }

    /// A payment of an order.
    pub(super) fn payment_of(&mut self, order: Order, which: Which) -> Option<&mut Known> {
        let of = self.payments.iter_mut().rev();
        let mut of = of.filter(|known| known.order == Some(order));
        match which {
            Which::Latest => of.next(),
            Which::Earlier => of.nth(1),
        }
    }

    pub(super) fn list_oddly(&mut self, order: Order, oddity: Oddity, history: &History) {
        let Some(known) = self.payment_of(order, Which::Latest) else {
            return;
        };
        let answered = Event::CreateAnswered {
            id: known.payment.id.clone(),
        };
        let mut events = history.events.iter();
        if oddity != Oddity::OtherOrder || events.any(|(_, event)| *event == answered) {
            known.oddity = oddity;
        }
    }
}

impl Known {
    fn created_record(&self) -> Value {
        self.record(Status::Created, Oddity::None)
    }

    fn listed_record(&self) -> Value {
        // The service may not have computed the amount yet.
        let oddity = if self.is_unanswered {
            Oddity::MovedQuote
        } else {
            self.oddity
        };
        self.record(self.status, oddity)
    }

    fn record(&self, status: Status, oddity: Oddity) -> Value {
        let days = if let Oddity::Dated(days) = oddity {
            i64::from(days)
        } else {
            0
        };
        let created = i64::try_from(doors::BEGIN + self.created.as_secs()).unwrap();
        let created = Timestamp::from_second(created + days * 24 * 60 * 60).unwrap();
        let invoice = match self.order {
            Some(order) if oddity == Oddity::OtherOrder => shop::invoice_of(ORDERS - 1 - order),
            _ => self.invoice.clone(),
        };
        let is_of_shop = shop::order_of(&self.invoice).is_some();
        // The record of another payment, with the id of this one.
        let is_others = matches!(oddity, Oddity::OtherWallet | Oddity::OtherInvoice);
        let status = if is_others { Status::Cancelled } else { status };
        let (status_id, status_text) = status.fields();
        let quote = if oddity == Oddity::MovedQuote {
            "70.25"
        } else {
            &self.payment.quote
        };
        json!({
            "transactionId": self.payment.id,
            "token": "USDTT",
            "paymentToken": self.payment_token.to_uppercase(),
            "quantity": if is_of_shop { 25 } else { 26 },
            "quantityPay": quote.parse::<f64>().unwrap(),
            "priceUsd": 25.01,
            "invoiceNumber": if oddity == Oddity::OtherInvoice { "ANOTHER" } else { &invoice },
            "statusId": status_id,
            "statusText": status_text,
            "wallet": if oddity == Oddity::OtherWallet { "another" } else { &self.payment.wallet },
            "createdAt": created.strftime("%Y/%m/%d").to_string(),
            "purchaseEmail": is_of_shop.then_some(BUYER),
        })
    }
}

impl Oddity {
    /// Whether the record may be another payment's.
    fn contradicts(self) -> bool {
        matches!(
            self,
            Self::OtherWallet | Self::OtherInvoice | Self::OtherOrder
        )
    }
}

impl Answer {
    pub(super) fn refusal(status: StatusCode) -> Self {
        Self {
            status,
            body: "{}".to_owned(),
            tells: vec![],
        }
    }
}
