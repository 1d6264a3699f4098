//! Paying.

use super::browser::{Browser, link, refresh};
use crate::prelude::*;

#[tokio::test]
async fn a_buyer_chooses_pays_and_follows_the_payment() {
    let shop = Shop::open().await;
    let world = World::with(|config| {
        config.orders.status_paid = vec!["Paid".to_owned()];
        config.tracking.poll_interval = Duration::from_millis(10);
        shop.receives(config);
    })
    .await;
    let mut browser = Browser::new(&world);
    let order = order(json!({ "returnUrl": "https://shop.example/thanks" }));
    let form = browser.open_order(&order).await;
    assert_eq!(form.status, StatusCode::OK, "{}", form.body);
    let begin = r#"<!doctype html><html lang="en" dir="ltr">"#;
    assert!(form.body.starts_with(begin), "{}", form.body);
    // Without a name of the shop, they say what the page is.
    form.has("<title>Payment</title>");
    form.has(r#"<h1 class="sr">Payment</h1>"#);
    form.has(r#"<form method="post" novalidate class="form">"#);
    assert_eq!(refresh(&form), "");

    let payment = browser.submit(&[("payment-token", "btc")]).await;
    assert_eq!(payment.status, StatusCode::OK, "{}", payment.body);
    payment.has_no("name=\"payment-token\"");
    let record = world.payments().remove(0);
    let amount = format!(r#"data-value="{}""#, record.quantity_pay);
    payment.has(&amount);
    let groups = record.wallet.as_bytes().chunks(4);
    let groups = groups.map(|group| format!("<span>{}</span>", str::from_utf8(group).unwrap()));
    let groups: String = groups.collect();
    // Both ends are in bold.
    let plain = ["<b>", "</b>", "<!>"]
        .into_iter()
        .fold(payment.body.clone(), |body, tag| body.replace(tag, ""));
    assert!(plain.contains(&groups), "{}", payment.body);
    payment.has("class=\"qr\"");
    payment.has_no(r#"class="copy""#);
    assert_eq!(refresh(&payment), "15");

    // A reload shows the same payment.
    let again = browser.reload().await;
    again.has(&amount);
    assert_eq!(world.calls(Endpoint::Create), 1);

    world.set_status(&record.transaction_id, "7", "Paid");
    let paid = until(&mut browser, "Payment received").await;
    assert_eq!(refresh(&paid), "");
    paid.has_no("class=\"qr\"");
    let back = link(&paid, "Back to the shop");
    assert_eq!(back, "https://shop.example/thanks");
    for told in shop.until_received(2).await {
        let order = json!({ "token": "usdtt", "quantity": "25.00", "invoiceNumber": "INV-1" });
        assert_eq!(told.json()["data"]["order"], order);
    }
}

/// Loads the page until it has this text.
async fn until(browser: &mut Browser, text: &str) -> Answer {
    loop {
        let answer = browser.reload().await;
        if answer.body.contains(text) {
            return answer;
        }
        tokio::task::yield_now().await;
    }
}

/// The widget, this page, a reload and a second press of the button.
#[tokio::test]
async fn an_order_has_one_payment_whoever_asks_for_it() {
    let world = World::new().await;
    let order = order(json!({}));
    let by_script = world.create_once("the widget's key", &paying(&order)).await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order).await;
    let press = || browser.form(&[("payment-token", "trx")]).send();
    let (first, second) = tokio::join!(press(), press());
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(first.headers()["location"], second.headers()["location"]);
    browser.submit(&[("payment-token", "trx")]).await;
    browser.reload().await;
    assert_eq!(world.transactions(), [by_script.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn a_problem_of_the_form_keeps_what_was_typed() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let order = order(json!({}));
    let address = format!("/pay?order={order}&ask=email!+name&lang=de");
    browser.open(&address).await;
    let answer = browser
        .submit(&[
            ("payment-token", "trx"),
            ("email", "\"><b>nobody"),
            ("name", "Zoë"),
        ])
        .await;
    answer.has(r#"<html lang="de""#);
    answer.has("id=\"email-problem\"");
    answer.has(r#"value="Zoë""#);
    answer.has(r#"value="&quot;&gt;&lt;b&gt;nobody""#);
    let checked = answer.body.matches(" checked").count();
    assert_eq!(checked, 1, "{}", answer.body);
    let missing = browser.submit(&[("email", "a@b.example")]).await;
    missing.has("class=\"note problem\"");
    assert_eq!(world.calls(Endpoint::Create), 0);
    let paid = browser
        .submit(&[("payment-token", "trx"), ("email", "a@b.example")])
        .await;
    paid.has("data-value");
    let payment = world.payments().remove(0);
    assert_eq!(payment.purchase_email.as_deref(), Some("a@b.example"));
}

/// A page that refreshes itself has no field, so that nothing that is typed can be lost.
#[tokio::test]
async fn a_transaction_hash_is_entered_on_a_page_that_does_not_refresh() {
    let world = World::new().await;
    let (mut browser, payment) = Browser::with_payment(&world).await;
    payment.has_no("<input");
    let field = browser.click(&payment, "Already sent it?").await;
    assert_eq!(refresh(&field), "");
    field.has(">Yes, I have sent money</button>");
    field.has_no("updates by itself");
    let wrong = [("action", "sent"), ("hash", "not a hash <b>")];
    let wrong = browser.submit(&wrong).await;
    wrong.has("id=\"hash-problem\"");
    wrong.has(r#"value="not a hash &lt;b&gt;""#);
    let hash = "0123456789abcdef".repeat(4);
    let sent = browser.submit(&[("action", "sent"), ("hash", &hash)]).await;
    sent.has("Do not send again");
    sent.has(&hash);
    sent.has_no("view=cancel");
    assert_eq!(refresh(&sent), "15");
}

/// The head of a request has 16 KB.
#[tokio::test]
async fn the_cookies_of_the_oldest_payments_make_room() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let older = (0..100).map(|number| (format!("__Host-tender-{number:016x}"), "x".repeat(60)));
    browser.cookies.extend(older);
    browser.open_order(&order(json!({}))).await.succeeds();
    browser.submit(&[("payment-token", "trx")]).await.succeeds();
    let length = |(name, value): &(String, String)| name.len() + value.len();
    let total: usize = browser.cookies.iter().map(length).sum();
    assert!((7 << 10..=8 << 10).contains(&total), "{total}");
    // The latest are left, and the new one.
    let oldest = 101 - browser.cookies.len();
    let name = format!("__Host-tender-{oldest:016x}");
    assert_eq!(browser.cookies[0].0, name);
}
