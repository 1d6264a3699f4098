//! A shop's payment list behind a proxy. It grows and changes while it is read.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use super::proxy::{CANCEL, Proxy, Reply, Sent};
use super::stream::{Stream, asked, open_one};
use super::wait::until;

/// A page of the list.
pub(crate) const LIST: &str = "GET /api/v1/payment/list";
/// What the proxy knows.
pub(crate) const LEDGER: &str = "GET /api/v1/payment/ledger";
/// Notifications to the shop's backend.
pub(crate) const DELIVERIES: &str = "GET /api/v1/payment/deliveries";
/// Sends notifications again.
pub(crate) const RESEND: &str = "POST /api/v1/payment/deliveries/resend";
/// Signs an order.
pub(crate) const ORDERS: &str = "POST /api/v1/orders";
/// The key of [`Shop::require_key`].
pub(crate) const KEY: &str = "s3cret-key";

/// Payments per page (the service's document, "Limits").
const PAGE_SIZE: usize = 20;

type List = Rc<RefCell<Vec<Value>>>;

pub(crate) struct Shop {
    pub(crate) proxy: Proxy,
    list: List,
}

/// A record as the service writes it.
pub(crate) fn record(number: usize) -> Value {
    json!({
        "transactionId": format!("t-{number}"), "token": "USDT", "paymentToken": "TRX",
        "quantity": "48.50", "quantityPay": "150.25", "priceUsd": "48.5",
        "invoiceNumber": format!("INV-{number}"), "purchaseEmail": format!("buyer-{number}@example.com"),
        "statusId": "1", "statusText": "Created", "wallet": "TWallet", "createdAt": "2026/11/21",
    })
}

impl Shop {
    /// A shop with this number of payments; `INV-1` is the oldest. Its proxy has no stream and knows nothing more.
    pub(crate) fn with(payments: usize) -> Self {
        let proxy = Proxy::new();
        let list = List::default();
        let shop = Self {
            proxy,
            list: Rc::clone(&list),
        };
        shop.add((1..=payments).map(record));
        let served = Rc::clone(&list);
        shop.proxy
            .serve(LIST, move |sent| Reply::ok(page(&served.borrow(), sent)));
        shop.proxy
            .serve(CANCEL, move |sent| cancel(&mut list.borrow_mut(), sent));
        for absent in [LEDGER, DELIVERIES] {
            shop.proxy
                .serve(absent, |_| Reply::problem(404, "not-found"));
        }
        shop
    }

    /// Buyers create payments, one after the other.
    pub(crate) fn add(&self, records: impl IntoIterator<Item = Value>) {
        for record in records {
            self.list.borrow_mut().insert(0, record);
        }
    }

    /// Requires the [`KEY`] for the list.
    pub(crate) fn require_key(&self) {
        let list = Rc::clone(&self.list);
        self.proxy
            .serve(LIST, move |sent| match sent.authorization.as_deref() {
                None => Reply::problem(401, "merchant-key-required"),
                Some(held) if held == format!("Bearer {KEY}") => {
                    Reply::ok(page(&list.borrow(), sent))
                }
                Some(_) => Reply::problem(403, "merchant-key-refused"),
            });
    }

    /// Waits until the element has opened an event stream.
    pub(crate) async fn until_streaming(&self) {
        until("the stream is open", || {
            asked(&self.proxy).iter().any(Stream::is_open)
        })
        .await;
    }

    /// Sends an event on the open stream.
    pub(crate) fn send(&self, event: &str, id: &str, data: &str) {
        open_one(&self.proxy).send(event, id, data);
    }

    /// Sets what the proxy knows beyond the list.
    pub(crate) fn set_ledger(&self, ledger: &Value) {
        let ledger = ledger.to_string();
        self.proxy.serve(LEDGER, move |_| Reply::ok(ledger.clone()));
    }

    /// Offers payment links in two tokens.
    pub(crate) fn set_link_limits(&self) {
        let limits = json!({ "maxQuantity": { "btc": 0.01, "usdtt": 500 }, "maxDays": 30 });
        self.set_ledger(&json!({ "payments": [], "reconciling": [], "paymentLinks": limits }));
    }

    /// Sets the notifications to the shop's backend, newest first.
    pub(crate) fn set_deliveries(&self, deliveries: &[Value]) {
        let deliveries = deliveries.to_vec();
        self.proxy.serve(DELIVERIES, move |sent| {
            let payment = parameter(sent, "transactionId=");
            let mut listed = deliveries.clone();
            listed.retain(|delivery| payment.is_none_or(|id| delivery["transactionId"] == id));
            Reply::ok(json!({ "deliveries": listed, "more": false }).to_string())
        });
    }

    /// The status of a payment changes at the service.
    pub(crate) fn set_status(&self, id: &str, (number, text): (&str, &str)) {
        let mut list = self.list.borrow_mut();
        let row = list.iter_mut().find(|row| row["transactionId"] == id);
        let row = row.unwrap();
        row["statusId"] = json!(number);
        row["statusText"] = json!(text);
    }

    /// The payments after which older ones were requested.
    pub(crate) fn cursors(&self) -> Vec<String> {
        let sent = self.proxy.sent(LIST);
        let cursors = sent.iter().filter_map(|sent| parameter(sent, "after="));
        cursors.map(str::to_owned).collect()
    }
}

/// The value of a parameter, whose name is given with its `=`.
fn parameter<'a>(sent: &'a Sent, name: &str) -> Option<&'a str> {
    let mut parameters = sent.query.trim_start_matches('?').split('&');
    parameters.find_map(|parameter| parameter.strip_prefix(name))
}

fn page(list: &[Value], sent: &Sent) -> String {
    let place = |id| list.iter().position(|row| row["transactionId"] == id);
    let start = parameter(sent, "after=").map_or(0, |id| place(id).unwrap() + 1);
    let page: Vec<_> = list.iter().skip(start).take(PAGE_SIZE).collect();
    json!(page).to_string()
}

/// The service responds with the earlier record: it does not state the new status.
fn cancel(list: &mut [Value], sent: &Sent) -> Reply {
    let id = sent.json()["transactionId"].clone();
    let row = list.iter_mut().find(|row| row["transactionId"] == id);
    let row = row.unwrap();
    let before = json!([row]).to_string();
    row["statusId"] = json!("9");
    row["statusText"] = json!("Cancelled");
    Reply::ok(before)
}
