//! Every state of the dashboard, each with its name and a function that reaches it.
//!
//! The accessibility tests and the gallery run through this list.

use std::pin::Pin;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{Payment, Status};
use tender_sandbox::{Endpoint, Fault, Outcome};

use super::super::servers::MERCHANT_KEY;
use super::super::states::Group;
use super::{Office, invoices};

/// One state.
pub(crate) struct State {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    reach: for<'a> fn(&'a Office) -> Reaching<'a>,
}

type Reaching<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl State {
    /// Brings the element into this state, with its own servers.
    pub(crate) async fn reach(&self, office: &mut Office) {
        office.move_on().await;
        (self.reach)(office).await;
    }
}

/// An entry of the list.
macro_rules! state {
    ($group:ident, $name:literal, $reach:ident) => {
        State {
            name: $name,
            group: Group::$group,
            reach: |office| Box::pin($reach(office)),
        }
    };
}

/// All states, in the order in which a merchant may meet them.
pub(crate) const STATES: &[State] = &[
    state!(Login, "skeleton", skeleton),
    state!(Login, "key wanted", key_wanted),
    state!(Login, "key refused", key_refused),
    state!(Login, "unavailable", unavailable),
    state!(Login, "logged out", logged_out),
    state!(Login, "not loaded", not_loaded),
    state!(Dashboard, "empty shop", empty_shop),
    state!(Dashboard, "payments", payments),
    state!(Dashboard, "days and statuses", days_and_statuses),
    state!(Dashboard, "long names and numbers", long_names),
    state!(Dashboard, "nothing found", nothing_found),
    state!(Dashboard, "searching", searching),
    state!(Dashboard, "past the end", past_the_end),
    state!(Dashboard, "new payments", new_payments),
    state!(Dashboard, "open orders", open_orders),
    state!(Dashboard, "notifications", notified),
    state!(Dashboard, "not read", not_read),
    state!(Dialog, "selected", selected),
    state!(Dialog, "cancel?", asked),
    state!(Dialog, "cancel several?", asked_of_several),
    state!(Dialog, "cancelling", cancelling),
    state!(Dialog, "cancelled", cancelled),
    state!(Dialog, "some rejected", some_rejected),
    state!(Dialog, "notification to be sent", notification),
    state!(Dialog, "payment link", link_form),
    state!(Dialog, "payment link refused", link_refused),
    state!(Dialog, "payment link created", link_created),
];

async fn skeleton(office: &Office) {
    office.browser.hold("*/payment/list*").await;
    office.visit().await;
    // The module's texts; those of the loader are not named.
    office.has(".skeleton[aria-label]").await;
}

async fn key_wanted(office: &Office) {
    office.visit().await;
    office.part("key-form").await;
}

async fn key_refused(office: &Office) {
    key_wanted(office).await;
    office.enter("not-the-key").await;
    office.has("[role=alert]").await;
}

async fn unavailable(office: &Office) {
    let away = Fault::new(Outcome::DropRequest).on(Endpoint::List);
    office.servers.service().inject(away);
    key_wanted(office).await;
    office.enter(MERCHANT_KEY).await;
    office.part("retry").await;
}

async fn logged_out(office: &Office) {
    office.fill(3).await;
    office.log_in().await;
    office.shows(&invoices(3, 1)).await;
    office.log_out().await;
    office.press("refresh").await;
    office.part("retry").await;
}

async fn not_loaded(office: &Office) {
    office.browser.block(&["*.wasm"]).await;
    office.visit().await;
    office.has("[role=alert]").await;
}

async fn empty_shop(office: &Office) {
    open(office).await;
    office.has(".ended").await;
}

async fn payments(office: &Office) {
    office.fill(5).await;
    open(office).await;
    office.shows(&invoices(5, 1)).await;
}

/// Payments of some days, in statuses that are not documented, shown as the service returns them. The gallery's picture for a
/// desktop, at half its size, is `docs/images/payments.png`.
async fn days_and_statuses(office: &Office) {
    let [created, confirming] = [("1", "Created"), ("2", "Confirming")];
    let [completed, expired, cancelled] =
        [("3", "Completed"), ("4", "Expired"), ("5", "Cancelled")];
    // From the oldest.
    let payments = [
        ("Ben Carter", "ben", 205.0, "btc", "17", completed),
        ("Lea Moreau", "lea.moreau", 48.5, "trx", "17", cancelled),
        ("Priya Nair", "priya", 64.5, "usdtt", "18", completed),
        ("Jonas Weber", "j.weber", 99.0, "bnb", "20", expired),
        ("Aiko Tanaka", "aiko", 12.5, "kxp", "20", completed),
        ("Rosa Marin", "rosa", 310.25, "usdte", "20", completed),
        ("Sam Okafor", "sam.okafor", 120.0, "btc", "21", confirming),
        ("Ada Lind", "ada", 48.5, "trx", "21", created),
    ];
    for (number, (name, email, price, token, ..)) in (1042..).zip(payments) {
        let fields = json!({
            "invoiceNumber": format!("INV-{number}"), "purchaseName": name,
            "purchaseEmail": format!("{email}@example.com"), "quantity": price, "paymentToken": token,
        });
        office.create(fields).await;
    }
    let mut list = office.servers.payments();
    for (payment, (.., day, (id, status))) in list.iter_mut().rev().zip(payments) {
        payment.created_at = Some(format!("2026/11/{day}"));
        payment.status = Status::new(id, status).unwrap();
    }
    answer(office, &list);
    open(office).await;
    office.shows(&invoices(1049, 1042)).await;
    let _: Value = office
        .ask(
            "root.querySelector('details').open = true; return true",
            json!(null),
        )
        .await;
}

/// Texts without line breaks, and amounts with more digits than a float can hold.
async fn long_names(office: &Office) {
    let word = "Aninvoicenumberofonelongwordwithoutaplacetobreakit";
    office.create(json!({})).await;
    let payment = Payment {
        quantity: "123456789012345678.12345678".parse().unwrap(),
        quantity_pay: "98765432109876543.87654321".parse().unwrap(),
        price_usd: Some("123456789012345678.99".parse().unwrap()),
        invoice_number: Some(word.repeat(2)),
        item_number: Some(word.to_owned()),
        status: Status::new("1", word).unwrap(),
        purchase_name: Some("A buyer of a very long name that goes on and on ".repeat(4)),
        purchase_email: Some(format!("{word}@example.com")),
        wallet: word.repeat(3),
        ..office.servers.only_payment()
    };
    answer(office, &[payment]);
    open(office).await;
    office.has("[part=row]").await;
}

async fn nothing_found(office: &Office) {
    payments(office).await;
    office.search("nowhere").await;
    office.shows(&[]).await;
}

async fn searching(office: &Office) {
    office.fill(25).await;
    open(office).await;
    office.shows(&invoices(25, 6)).await;
    office.browser.hold("*/payment/list*").await;
    office.search("nowhere").await;
    office.shows(&[]).await;
    office.press("search-older").await;
    let said = "text(root.querySelector('.search-on [role=status]'))";
    office.sees("how far it is", said, json!(null)).await;
}

async fn past_the_end(office: &Office) {
    office.fill(22).await;
    open(office).await;
    office.shows(&invoices(22, 3)).await;
    office.press("older").await;
    office.shows(&invoices(2, 1)).await;
    office.press("older").await;
    let said =
        "text(root.querySelector('.pager [role=status]')) && !root.querySelector('.pager .busy')";
    office.sees("the end", said, json!(null)).await;
}

/// On pages other than the first, new payments are not inserted automatically.
async fn new_payments(office: &Office) {
    office.fill(22).await;
    open(office).await;
    office.shows(&invoices(22, 3)).await;
    office.press("older").await;
    office.shows(&invoices(2, 1)).await;
    for number in 23..=24 {
        let invoice = json!({ "invoiceNumber": format!("INV-{number}") });
        office.create(invoice).await;
    }
    let both = "part('show-new').some((button) => text(button).includes('2'))";
    office.sees("both of them", both, json!(null)).await;
}

/// The outcome is unknown: the request or its response was lost.
async fn open_orders(office: &Office) {
    office.fill(3).await;
    for invoice in ["INV-1042", "INV-1043"] {
        let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Create).once();
        office.servers.service().inject(lost);
        let status = office.order(invoice).await;
        assert!(status.is_server_error(), "{status}");
    }
    open(office).await;
    office.part("reconciling").await;
}

/// One notification was delivered, one was given up, one is to be sent again.
async fn notified(office: &Office) {
    open(office).await;
    for (number, answer, state) in [
        (1, StatusCode::NO_CONTENT, "delivered"),
        (2, StatusCode::GONE, "given-up"),
        (3, StatusCode::SERVICE_UNAVAILABLE, "waiting"),
    ] {
        office.servers.merchant.answer_with(answer);
        let status = office.order(&format!("INV-{number}")).await;
        assert!(status.is_success(), "{status}");
        let is_shown =
            "part('notifications').some((button) => button.dataset.state === arguments[0])";
        office.sees(state, is_shown, json!(state)).await;
    }
}

/// The shop has failed once, and the proxy will try again.
async fn notification(office: &Office) {
    let failing = StatusCode::SERVICE_UNAVAILABLE;
    office.servers.merchant.answer_with(failing);
    let status = office.order("INV-1").await;
    assert!(status.is_success(), "{status}");
    open(office).await;
    office.press("notifications").await;
    office.reads("503").await;
}

/// The list can no longer be read, and stays as it was.
async fn not_read(office: &Office) {
    payments(office).await;
    let away = Fault::new(Outcome::DropRequest).on(Endpoint::List);
    office.servers.service().inject(away);
    office.press("refresh").await;
    office.has("[role=alert]").await;
}

async fn selected(office: &Office) {
    payments(office).await;
    for invoice in ["INV-5", "INV-4", "INV-2"] {
        office.pick(invoice).await;
    }
    office.part("cancel-selected").await;
}

async fn asked(office: &Office) {
    payments(office).await;
    office.press("cancel").await;
    office.part("confirm").await;
}

async fn asked_of_several(office: &Office) {
    selected(office).await;
    office.press("cancel-selected").await;
    office.part("confirm").await;
}

async fn cancelling(office: &Office) {
    asked_of_several(office).await;
    office.browser.hold("*/payment/cancel").await;
    office.press("confirm").await;
    office.has("dialog [aria-live]").await;
}

async fn cancelled(office: &Office) {
    asked(office).await;
    office.press("confirm").await;
    office.part("close").await;
}

/// The service rejects one of three cancellations, and accepts another without changing its status.
async fn some_rejected(office: &Office) {
    asked_of_several(office).await;
    let refused = Fault::respond(StatusCode::BAD_REQUEST, "{}");
    let service = office.servers.service();
    service.inject(refused.on(Endpoint::Cancel).once());
    office.press("confirm").await;
    office.part("close").await;
    office.has("dialog .problem").await;
}

async fn link_form(office: &Office) {
    payments(office).await;
    office.press("create-link").await;
    office.has("#link-price").await;
}

async fn link_refused(office: &Office) {
    link_form(office).await;
    office.ask_for_link("1000000", "INV-6").await;
    office.has("dialog [role=alert]").await;
}

async fn link_created(office: &Office) {
    link_form(office).await;
    office.ask_for_link("0.00085", "INV-6").await;
    office.part("link").await;
}

/// Enters the key, and waits for the list.
async fn open(office: &Office) {
    office.visit().await;
    office.enter(MERCHANT_KEY).await;
    office.part("dashboard").await;
}

/// Makes the service return this list for every page.
fn answer(office: &Office, list: &[Payment]) {
    let list = serde_json::to_string(list).unwrap();
    let service = office.servers.service();
    service.inject(Fault::respond(StatusCode::OK, list).on(Endpoint::List));
}
