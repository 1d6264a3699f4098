//! The list.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::{Payment, Status};
use tender_sandbox::{Endpoint, Fault};

use super::super::{Office, invoices};
use super::{fail_to_list, open};

pub(super) async fn empty_shop(office: &Office) {
    open(office).await;
    office.has(".ended").await;
}

pub(super) async fn payments(office: &Office) {
    office.fill(5).await;
    open(office).await;
    office.shows(&invoices(5, 1)).await;
}

/// Payments of some days, in statuses that are not documented, shown as the service returns them. The gallery's picture for a
/// desktop, at half its size, is `docs/images/payments.png`.
pub(super) async fn days_and_statuses(office: &Office) {
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
    let open_days = "root.querySelector('details').open = true";
    let () = office.ask(open_days, ()).await;
}

/// Texts without line breaks, and amounts with more digits than a float can hold.
pub(super) async fn long_names(office: &Office) {
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

pub(super) async fn nothing_found(office: &Office) {
    payments(office).await;
    office.search("nowhere").await;
    office.shows(&[]).await;
}

pub(super) async fn searching(office: &Office) {
    office.fill(25).await;
    open(office).await;
    office.shows(&invoices(25, 6)).await;
    office.browser.hold("*/payment/list*").await;
    office.search("nowhere").await;
    office.shows(&[]).await;
    office.press("search-older").await;
    let said = "text(root.querySelector('.search-on [role=status]'))";
    office.sees("how far it is", said, ()).await;
}

pub(super) async fn past_the_end(office: &Office) {
    second_page(office).await;
    office.press("older").await;
    let said =
        "text(root.querySelector('.pager [role=status]')) && !root.querySelector('.pager .busy')";
    office.sees("the end", said, ()).await;
}

/// On pages other than the first, new payments are not inserted automatically.
pub(super) async fn new_payments(office: &Office) {
    second_page(office).await;
    for number in 23..=24 {
        let invoice = json!({ "invoiceNumber": format!("INV-{number}") });
        office.create(invoice).await;
    }
    let both = "part('show-new').some((button) => text(button).includes('2'))";
    office.sees("both of them", both, ()).await;
}

/// The outcome is unknown: the request or its response was lost.
pub(super) async fn open_orders(office: &Office) {
    office.fill(3).await;
    for invoice in ["INV-1042", "INV-1043"] {
        office.servers.drop_next(Endpoint::Create);
        let status = office.order(invoice).await;
        assert!(status.is_server_error(), "{status}");
    }
    open(office).await;
    office.part("reconciling").await;
}

/// One notification was delivered, one was given up, one is to be sent again.
pub(super) async fn notified(office: &Office) {
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
        office.sees(state, is_shown, state).await;
    }
}

/// The list can no longer be read, and stays as it was.
pub(super) async fn not_read(office: &Office) {
    payments(office).await;
    fail_to_list(office);
    office.press("refresh").await;
    office.has("[role=alert]").await;
}

pub(super) async fn crashed(office: &Office) {
    payments(office).await;
    office.search_and_break("nothing that is there").await;
    office.has("[role=alert]").await;
    let event = office.browser.event("tender-error").await.detail;
    assert_eq!(event["code"], "crashed");
}

/// The second and last page of 22 payments.
async fn second_page(office: &Office) {
    office.fill(22).await;
    open(office).await;
    office.shows(&invoices(22, 3)).await;
    office.press("older").await;
    office.shows(&invoices(2, 1)).await;
}

/// Makes the service return this list for every page.
fn answer(office: &Office, list: &[Payment]) {
    let list = serde_json::to_string(list).unwrap();
    let service = office.servers.service();
    service.inject(Fault::respond(StatusCode::OK, list).on(Endpoint::List));
}
