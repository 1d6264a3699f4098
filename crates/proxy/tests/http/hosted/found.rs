//! The page of an order whose payment exists already: in another browser, without cookies, and after `exp`.

use jsonwebtoken::get_current_timestamp;

use super::browser::{Browser, link, refresh};
use crate::prelude::*;

const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A payment that another tab has created, and the page of its order in a browser without cookies.
async fn found(world: &World, order: &str) -> (Answer, Browser, Answer) {
    let created = world.create(&paying(order)).await;
    let mut browser = Browser::new(world);
    let page = browser.open_order(order).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    (created, browser, page)
}

fn offers_nothing(page: &Answer) {
    for choice in [
        "payment-token",
        "Send exactly",
        "view=choose",
        "view=cancel",
    ] {
        page.has_no(choice);
    }
}

#[tokio::test]
async fn an_order_shows_its_payment_in_any_browser() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let (created, mut browser, page) = found(&world, &order).await;
    let id = created.transaction_id();
    // TRX has 6 decimals.
    let (amount, _) = world.payments()[0].quantity_pay.round_up(6);
    let amount = format!(r#"data-value="{amount}""#);
    for shown in ["Send exactly", "on TRON", &id, &amount] {
        page.has(shown);
    }
    assert_eq!(refresh(&page), "15");
    // Without cookies, the form that was opened before leads to it, too.
    browser.cookies.clear();
    let again = browser.submit(&[("payment-token", "btc")]).await;
    again.has(&amount);
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}

#[tokio::test]
async fn the_link_of_a_paid_order_shows_so_after_it_has_expired() {
    let world = World::with(mapped).await;
    let claims = |exp| json!({ "exp": exp, "returnUrl": "https://shop.example/thanks" });
    let now = get_current_timestamp();
    let (created, mut browser, _) = found(&world, &order(claims(now + 60))).await;
    let expired = order(claims(now - 600));
    // It can be read, and nothing else.
    let open = browser.open_order(&expired).await;
    assert_eq!(open.status, StatusCode::OK, "{}", open.body);
    open.has_no("view=cancel");
    let refused = browser.submit(&[("action", "cancel")]).await;
    refused.has_no("Payment cancelled");
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let marked = browser.submit(&[("action", "mark")]).await;
    assert_eq!(marked.status.as_u16(), ProblemCode::OrderExpired.status());

    world.set_status(&created.transaction_id(), "2", "Paid");
    let cancelled = world.cancel_created(&created).await;
    cancelled.is_refused_as(ProblemCode::PaymentProgressed);
    let paid = browser.open_order(&expired).await;
    assert_eq!(paid.status, StatusCode::OK);
    paid.has("Payment received");
    offers_nothing(&paid);
    let back = link(&paid, "Back to the shop");
    assert_eq!(back, "https://shop.example/thanks");
    let unknown = order(json!({ "invoiceNumber": "INV-2", "exp": now - 600 }));
    let none = browser.open_order(&unknown).await;
    assert_eq!(none.status.as_u16(), ProblemCode::OrderExpired.status());
}

/// The status has moved meanwhile.
#[tokio::test]
async fn a_refused_cancellation_shows_the_record_as_it_is_then() {
    let world = World::with(mapped).await;
    let (created, mut browser, page) = found(&world, &order(json!({}))).await;
    browser.click(&page, "Cancel payment").await;
    world.set_status(&created.transaction_id(), "2", "Paid");
    let refused = browser.submit(&[("action", "cancel")]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    refused.has("Payment received");
    offers_nothing(&refused);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}

/// Another browser may have sent the money.
#[tokio::test]
async fn a_payment_of_another_browser_is_replaced_after_a_question() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let (created, mut browser, page) = found(&world, &order).await;
    let asked = browser.click(&page, "Use another token").await;
    asked.has("Have you already sent money");
    let unanswered = browser.submit(&[("payment-token", "btc")]).await;
    unanswered.has("Have you already sent money");
    assert_eq!(world.open(), [created.transaction_id()]);

    browser.click(&asked, "No, nothing was sent").await;
    let other = browser.submit(&[("payment-token", "btc")]).await;
    other.has("Send exactly");
    assert_eq!(world.payments().len(), 2);
    // This one is the browser's own, so nothing is asked.
    let form = browser.click(&other, "Use another token").await;
    form.has_no("Have you already sent money");
}

#[tokio::test]
async fn who_says_that_money_was_sent_keeps_the_payment() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let (created, mut browser, page) = found(&world, &order).await;
    browser.click(&page, "Use another token").await;
    let sent = browser.submit(&[("action", "mark")]).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
    offers_nothing(&sent);
    let elsewhere = Browser::new(&world).open_order(&order).await;
    offers_nothing(&elsewhere);
    let refused = world.cancel_created(&created).await;
    refused.is_refused_as(ProblemCode::PaymentSent);
}

#[tokio::test]
async fn a_payment_with_a_hash_says_that_it_was_closed() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order(json!({}))).await;
    let sent = browser.submit(&[("action", "sent"), ("hash", HASH)]).await;
    sent.has("Waiting for confirmation");
    let mut listened = world.listen(&first).await;
    world.becomes(&first, "Expired");
    while listened.next().await.status() != "Expired" {}
    browser.reload().await.has("This payment is closed");
}

/// What it asks may be below the screen.
#[tokio::test]
async fn a_view_begins_where_it_asks() {
    const ASKED: &str = "id=\"asked\"";
    let world = World::new().await;
    let (mut browser, page) = Browser::with_payment(&world).await;
    page.has_no(ASKED);
    for text in ["Cancel payment", "Already sent it?"] {
        let address = link(&page, text);
        assert!(address.ends_with("#asked"), "{address}");
        browser.click(&page, text).await.has(ASKED);
    }
}

/// Each browser removes only its own mark.
#[tokio::test]
async fn who_says_that_nothing_was_sent_sees_the_payment_again() {
    const NOTHING: &str = "Nothing was sent: show the payment again";
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let (created, mut browser, page) = found(&world, &order).await;
    browser.click(&page, "Use another token").await;
    let sent = browser.submit(&[("action", "mark")]).await;
    let mut other = Browser::new(&world);
    let elsewhere = other.open_order(&order).await;

    let asked = other.click(&elsewhere, NOTHING).await;
    asked.has("if money was sent, paying again loses it");
    offers_nothing(&asked);
    let shown = other.submit(&[("action", "remove")]).await;
    shown.has("Send exactly");
    shown.has_no("view=cancel");
    other.reload().await.has("Send exactly");
    let refused = world.cancel_created(&created).await;
    refused.is_refused_as(ProblemCode::PaymentSent);

    browser.click(&sent, NOTHING).await;
    let shown = browser.submit(&[("action", "remove")]).await;
    shown.has("Send exactly");
    shown.has("view=cancel");
    let cancelled = world.cancel_created(&created).await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
}

#[tokio::test]
async fn a_hash_marks_the_payment_until_it_is_removed() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let (created, mut browser, _) = found(&world, &order).await;
    let sent = browser.submit(&[("action", "sent"), ("hash", HASH)]).await;
    sent.has(HASH);
    offers_nothing(&sent);
    let elsewhere = Browser::new(&world).open_order(&order).await;
    offers_nothing(&elsewhere);
    elsewhere.has_no(HASH);
    let refused = world.cancel_created(&created).await;
    refused.is_refused_as(ProblemCode::PaymentSent);

    // It can be changed, and removed after a question.
    let changed = HASH.replace('0', "1");
    let field = browser.click(&sent, "Change or remove the hash").await;
    field.has(HASH);
    let other = [("action", "sent"), ("hash", &*changed)];
    let sent = browser.submit(&other).await;
    sent.has(&changed);
    let asked = browser.click(&sent, "Remove the hash").await;
    asked.has("value=\"remove\"");
    let removed = browser.submit(&[("action", "remove")]).await;
    removed.has("Send exactly");
    let cancelled = world.cancel_created(&created).await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
}

/// The money for a cancelled payment arrives after all, when its order has another one.
#[tokio::test]
async fn an_open_payment_of_a_paid_order_asks_for_nothing() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    world.cancel(&first.id, &first.receipt).await.succeeds();
    let order = order(json!({}));
    let mut browser = Browser::new(&world);
    let closed = browser.open_order(&order).await;
    browser.click(&closed, "Start a new payment").await;
    let second = browser.submit(&[("payment-token", "btc")]).await;
    second.has("Send exactly");
    let open = world.open();
    assert_eq!(open.len(), 1);

    let mut late = world.listen(&first).await;
    world.becomes(&first, "Paid");
    while late.next().await.status() != "Paid" {}
    for mut browser in [browser, Browser::new(&world)] {
        let page = browser.open_order(&order).await;
        page.has("Payment received");
        offers_nothing(&page);
        let refused = browser.submit(&[("payment-token", "trx")]).await;
        offers_nothing(&refused);
    }
    assert_eq!(world.open(), open);
    assert_eq!(world.calls(Endpoint::Create), 2);
}

/// The buyer has answered for one payment; another device has replaced it since.
#[tokio::test]
async fn a_form_is_about_the_payment_that_its_page_has_shown() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let mut owner = Browser::new(&world);
    owner.open_order(&order).await;
    let first = owner.submit(&[("payment-token", "btc")]).await;
    let mut browser = Browser::new(&world);
    let page = browser.open_order(&order).await;
    let asked = browser.click(&page, "Use another token").await;
    let choice = link(&asked, "No, nothing was sent");
    let question = link(&page, "Cancel payment");

    owner.click(&first, "Use another token").await;
    owner.submit(&[("payment-token", "trx")]).await;
    let open = world.open();
    let forms: [(&str, &[(&str, &str)]); 5] = [
        (&choice, &[("payment-token", "bnb")]),
        (&choice, &[("action", "mark")]),
        (&question, &[("action", "cancel")]),
        (&question, &[("action", "sent"), ("hash", HASH)]),
        (&question, &[("action", "remove")]),
    ];
    for (address, fields) in forms {
        // The answer to the form, and a view that is opened now, show the other payment as it is.
        browser.address = browser.address.join(address).unwrap();
        let submitted = browser.submit(fields).await;
        let opened = browser.open(address).await;
        let opened = browser.follow(opened).await;
        for shown in [submitted, opened] {
            assert!(shown.body.contains("on TRON"), "{fields:?}: {}", shown.body);
            assert!(shown.body.contains("view=cancel"), "{fields:?}");
        }
        assert_eq!(world.open(), open, "{fields:?}");
    }
    assert_eq!(world.calls(Endpoint::Create), 2);
}
