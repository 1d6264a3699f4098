//! Cancelling a payment, and switching to another token.

use axum::http::StatusCode;
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Browser, Role, Servers};

const TOKEN: &str = "Tether USD, Ethereum";
const SURE: &str = "Cancel this payment? If you have already sent money, do not cancel.";

#[tokio::test(flavor = "multi_thread")]
async fn asks_first_then_cancels_and_can_pay_again() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;

    checkout.press("Cancel payment").await;
    assert_eq!(checkout.alert().await, SURE);
    checkout.press("Keep it").await;
    checkout.get(Role::Button, "Cancel payment").await;
    assert_eq!(servers.requests(Endpoint::Cancel).received, 0);

    checkout.cancel().await;
    let notice = checkout.text_of("notice").await;
    assert!(notice.starts_with("Payment cancelled"), "{notice}");
    let cancelled = servers.only_payment();
    assert_eq!(cancelled.status.text(), "Cancelled");
    let event = browser.event("tender-cancelled").await;
    assert_eq!(
        event.detail["payment"]["transactionId"],
        cancelled.transaction_id
    );
    assert!(
        checkout
            .select("[part~='wallet']")
            .await
            .unwrap()
            .is_empty()
    );

    checkout.press("Start a new payment").await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    checkout.amount().await;
    let payments = servers.payments();
    assert_eq!(payments.len(), 2);
    assert_eq!(payments[0].status, Status::Created);
    assert_eq!(payments[0].invoice_number, cancelled.invoice_number);
    assert_eq!(checkout.text_of("wallet").await, payments[0].wallet);
    assert_eq!(payments[1], cancelled);
}

/// After a cancellation, the same token creates a new payment, because the cancelled one must not be paid.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_cancellation_the_same_choice_is_a_new_payment() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.cancel().await;
    checkout.press("Start a new payment").await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;
    let statuses: Vec<_> = servers
        .payments()
        .into_iter()
        .map(|payment| payment.status)
        .collect();
    let [Status::Created, Status::Other { text, .. }] = &statuses[..] else {
        panic!("{statuses:?}");
    };
    assert_eq!(text, "Cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_fails_says_so_and_can_be_tried_again() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let refused = "The payment was not cancelled. It is still valid.";
    let unclear = "We don't know whether the payment was cancelled. Do not send money. Try to cancel it again.";
    for (is_refused, sentence) in [(true, refused), (false, unclear)] {
        let checkout = browser.visit(&servers.shop_page("")).await;
        checkout.pay_with(TOKEN).await;
        checkout.amount().await;
        if is_refused {
            let fault = Fault::respond(StatusCode::CONFLICT, "{}");
            servers.service().inject(fault.on(Endpoint::Cancel).once());
        } else {
            // The request does not reach the proxy.
            browser.block(&["*/payment/cancel"]).await;
        }
        checkout.cancel().await;
        assert_eq!(checkout.alert().await, sentence);
        assert_eq!(servers.payments()[0].status, Status::Created);

        browser.block(&[]).await;
        checkout.cancel().await;
        checkout.get(Role::Button, "Start a new payment").await;
        assert_eq!(servers.payments()[0].status.text(), "Cancelled");
    }
}

/// The service does not answer, so the payment may be cancelled or not: the page asks for no money until another request is
/// answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_without_an_answer_leaves_it_unknown() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;
    let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Cancel);
    servers.service().inject(lost.once());
    checkout.cancel().await;
    checkout.reads("This payment may have ended").await;
    assert!(checkout.select("[part~=wallet]").await.unwrap().is_empty());
    checkout.press("Cancel payment").await;
    checkout.reads("Payment cancelled").await;
    checkout.get(Role::Button, "Start a new payment").await;
}

/// There are never two open payments.
#[tokio::test(flavor = "multi_thread")]
async fn another_token_takes_the_place_of_the_first() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;
    let first = servers.only_payment();

    checkout.press("Use another token").await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    browser.event("tender-cancelled").await;
    checkout.amount().await;
    let [second, cancelled] = &servers.payments()[..] else {
        panic!("the first payment, and the one that took its place");
    };
    assert_eq!(cancelled.transaction_id, first.transaction_id);
    assert_eq!(cancelled.status.text(), "Cancelled");
    assert_eq!(second.status, Status::Created);
    assert_eq!(checkout.text_of("wallet").await, second.wallet);
}
