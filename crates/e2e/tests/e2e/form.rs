//! The token choice and the form.

use std::collections::BTreeSet;

use tender_protocol::ACCEPTED;

use crate::support::{Browser, Role, Servers};

#[tokio::test(flavor = "multi_thread")]
async fn every_accepted_token_is_offered_and_no_other() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;

    checkout.is_choosing().await;
    let offered = checkout.names(Role::Radio).await;
    assert_eq!(
        offered,
        [
            // The token that needs no conversion comes first.
            "Tether USD, TRON",
            "Tether USD, Ethereum",
            "Bitcoin, Bitcoin",
            "TRON, TRON",
            "BNB, BNB Smart Chain",
            "KXP, KXP",
        ],
        "the service lists eth, usdc and usdtb too"
    );
    let ready = browser.event("tender-ready").await;
    let codes: BTreeSet<String> = serde_json::from_value(ready.detail["tokens"].clone()).unwrap();
    let accepted = ACCEPTED.iter().map(|(code, _)| code.to_string()).collect();
    assert_eq!(codes, accepted);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_chooses_what_it_offers() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser
        .visit(&servers.shop_page("accept=kxp+eth+btc"))
        .await;
    checkout.is_choosing().await;
    assert_eq!(
        checkout.names(Role::Radio).await,
        ["KXP, KXP", "Bitcoin, Bitcoin"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_payer_chooses_the_amount_where_the_order_says_so() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser
        .visit(&servers.shop_page("amount=choose&payment-token=usdte"))
        .await;
    let amount = checkout.get(Role::TextBox, "Amount in USDT").await;
    amount.send_keys("12.5").await.unwrap();
    checkout.submit().await.click().await.unwrap();

    assert_eq!(checkout.amount().await, "12.5");
    let payment = servers.only_payment();
    assert_eq!(payment.quantity.to_string(), "12.5");
    assert_eq!(payment.item_number.as_deref(), Some("0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_shop_asks_of_the_buyer_reaches_the_service() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("ask=name+email!")).await;
    checkout.choose("KXP, KXP").await;
    let submit = checkout.submit().await;
    submit.click().await.unwrap();
    assert_eq!(checkout.alert().await, "Enter your e-mail address.");
    assert!(servers.payments().is_empty());

    let email = checkout.get(Role::TextBox, "E-mail").await;
    email.send_keys("ada@example.com").await.unwrap();
    let name = checkout.get(Role::TextBox, "Name (optional)").await;
    name.send_keys("Ada").await.unwrap();
    submit.click().await.unwrap();
    checkout.amount().await;
    let payment = servers.only_payment();
    assert_eq!(payment.purchase_email.as_deref(), Some("ada@example.com"));
    assert_eq!(payment.purchase_name.as_deref(), Some("Ada"));
}
