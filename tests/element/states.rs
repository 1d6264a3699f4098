//! What the buyer sees in each state, by the documented roles and parts.

use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn the_skeleton_is_there_at_once_and_until_the_tokens_are() {
    let proxy = Proxy::new();
    let tokens = proxy.hold(TOKENS);
    let checkout = Checkout::open(&proxy, &[]);
    // The test has not waited yet, so the module can't have been loaded.
    let at_once = checkout.all("[role=status][aria-busy=true] > i").len();
    assert!(at_once > 2, "{at_once} marks");
    assert!(checkout.shows_card() && !checkout.shows_fallback());

    until("the module shows its own", || {
        checkout.names("status") == ["Loading payment options…"]
    })
    .await;
    settled().await;
    assert_eq!(checkout.names("status"), ["Loading payment options…"]);
    assert_eq!(checkout.all("[aria-busy=true] > i").len(), at_once);

    tokens.open(Reply::ok(record::listing()));
    checkout.until_ready().await;
    assert!(checkout.all("[aria-busy=true]").is_empty());
}

#[wasm_bindgen_test]
async fn the_tokens_are_a_radio_group_and_the_submit_is_a_button() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;

    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);
    // The price's own token comes first, and the other USDT beside it. ETH is missing, because the create endpoint does not accept it.
    assert_eq!(
        checkout.names("radio"),
        [
            "Tether USD, TRON",
            "Tether USD, Ethereum",
            "TRON, TRON",
            "BNB, BNB Smart Chain",
            "KXP, BNB Smart Chain",
            "Bitcoin, Bitcoin",
        ]
    );
    assert_eq!(checkout.chosen(), None);
    assert_eq!(checkout.names("button"), ["Pay"]);
    assert_eq!(checkout.text_of("price"), "12.50 USDT");
    assert!(checkout.role("alert").is_empty());
    assert!(!checkout.shows_fallback());
    // A name is not repeated in a row.
    let rows = checkout.parts("token");
    let row = |code: &str| {
        let row = rows.iter().find(|row| {
            row.query_selector(&format!("[value={code}]"))
                .unwrap()
                .is_some()
        });
        row.unwrap().text_content().unwrap()
    };
    assert_eq!(
        (row("trx"), row("btc")),
        ("TRONTRX".to_owned(), "BitcoinBTC".to_owned())
    );
    for shown in ["Tether USD", "Ethereum", "BTC"] {
        checkout.until_shown(shown).await;
    }
}

#[wasm_bindgen_test]
async fn the_name_of_the_button_says_what_is_paid() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("Tether USD, TRON");
    settled().await;
    assert_eq!(checkout.names("button"), ["Pay 12.50 USDT on TRON (TRC20)"]);

    checkout.choose("Bitcoin, Bitcoin");
    settled().await;
    assert_eq!(checkout.names("button"), ["Pay in BTC on Bitcoin"]);
    let hint = "equivalent of 12.50 USDT in BTC";
    checkout.until_shown(hint).await;

    // The price is in USDT, too, on another network.
    checkout.choose("Tether USD, Ethereum");
    let hint = "You pay in USDT on Ethereum (ERC20).";
    checkout.until_shown(hint).await;
}

#[wasm_bindgen_test]
async fn while_the_payment_is_created_the_form_stands_still() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    let create = proxy.hold(CREATE);
    checkout.pay();
    settled().await;

    let disabled = checkout.attribute("submit", "aria-disabled");
    assert_eq!(disabled.as_deref(), Some("true"));
    let is_fixed = |radio: &HtmlInputElement| radio.disabled();
    let radios = checkout.role("radio");
    assert_eq!(radios.len(), 6);
    assert!(radios.iter().all(|radio| is_fixed(radio.unchecked_ref())));
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    let field: HtmlInputElement = checkout.named("textbox", "Name").unchecked_into();
    assert!(field.read_only());

    create.open(Reply::ok(record::payment(None)));
    checkout.until_part("amount").await;
}

#[wasm_bindgen_test]
async fn the_payment_says_how_much_where_and_how_it_stands() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;

    assert_eq!(checkout.names("region"), ["Payment"]);
    for (part, text) in [
        ("amount", "0.00012345 BTC"),
        ("network", "on Bitcoin"),
        ("wallet", record::WALLET),
        ("status", "Created"),
        ("invoice", "INV-7"),
        ("price-usd", "12.50 US dollars"),
        ("date", "Jan 31, 2026"),
    ] {
        assert_eq!(checkout.text_of(part), text);
    }
    assert_eq!(name(&checkout.part("explorer")), "Open mempool.space");
    for (part, name, value) in [
        ("amount", "data-value", "0.00012345"),
        ("explorer", "href", "https://mempool.space/"),
        ("explorer", "rel", "noopener noreferrer"),
        ("explorer", "target", "_blank"),
    ] {
        assert_eq!(checkout.attribute(part, name).as_deref(), Some(value));
    }
    assert!(checkout.role("radio").is_empty() && !checkout.shows_fallback());
    // It is real money, and nothing updates a page without a receipt.
    assert!(checkout.text().contains("Send only BTC") && !checkout.has_part("test-mode"));
    assert!(!checkout.text().contains("updates by itself"));
}

#[wasm_bindgen_test]
async fn a_payment_is_cancelled_after_a_question() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    checkout.press("Cancel payment");
    settled().await;
    assert!(proxy.sent(CANCEL).is_empty(), "the buyer is asked first");
    assert!(checkout.alert().contains("do not cancel"));
    checkout.press("Keep it");
    settled().await;
    assert!(checkout.role("alert").is_empty() && checkout.has_part("amount"));

    let cancel = proxy.hold(CANCEL);
    checkout.cancel().await;
    settled().await;
    checkout.until_shown("Cancelling…").await;
    let sent = proxy.sent(CANCEL);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].json(), json!({ "transactionId": record::ID }));
    assert_eq!(sent[0].authorization.as_deref(), Some("Bearer receipt-7"));

    cancel.open(Reply::ok(record::list(&[record::payment(None)])));
    checkout.until_shown("Payment cancelled").await;
    assert!(!checkout.has_part("wallet"), "nothing to pay to any more");
    assert_eq!(checkout.names("heading"), ["Payment cancelled"]);

    checkout.press("Start a new payment");
    checkout.until_ready().await;
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
}

#[wasm_bindgen_test]
async fn a_cancellation_that_fails_leaves_the_payment() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    // Only a refusal proves that the payment is still valid.
    for (reply, said, may_be_cancelled) in [
        (Reply::Lost, "We don't know whether", true),
        (
            Reply::problem(502, "service-refused"),
            "It is still valid",
            false,
        ),
    ] {
        proxy.reply(CANCEL, reply);
        checkout.cancel().await;
        checkout.until_shown(said).await;
        assert!(checkout.alert().contains(said));
        assert_eq!(checkout.text_of("wallet"), record::WALLET);
        // Nothing that asks for money can be used while it may have been cancelled.
        let inert = checkout.part("amount").closest("[inert]").unwrap();
        assert_eq!(inert.is_some(), may_be_cancelled, "{said}");
    }
    assert_eq!(checkout.details_of("tender-error").len(), 2);
    assert!(checkout.details_of("tender-cancelled").is_empty());
}

#[wasm_bindgen_test]
async fn a_proxy_without_cancel_switches_it_off_with_a_sentence_and_no_error() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    proxy.reply(CANCEL, Reply::Answer(405, String::new()));
    checkout.cancel().await;
    checkout.until_shown("It is still valid").await;
    let inert = checkout.part("amount").closest("[inert]").unwrap();
    assert_eq!(inert, None, "the payment can be paid again");
    assert_eq!(checkout.role("alert").len(), 1, "{}", checkout.text());
    assert!(
        checkout
            .names("button")
            .iter()
            .all(|name| !name.contains("ancel")),
        "{}",
        checkout.text()
    );
    assert!(checkout.details_of("tender-error").is_empty());

    // The proxy may have been restarting.
    checkout.call("refresh");
    checkout.until_shown("Cancel payment").await;
    assert!(checkout.text().contains("It is still valid"));
}

/// With item number 0 the payer chooses the amount, and the service may ask for none.
#[wasm_bindgen_test]
async fn any_amount_is_not_exactly_zero() {
    let record = record::payment(None).replace("0.00012345", "0.00");
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("item-number", "0")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::ok(record));
    checkout.pay();
    checkout.until_shown("Send any amount of BTC").await;
    assert!(!checkout.text().contains("Send exactly"));
    assert!(!checkout.has_part("amount") && !checkout.has_part("with-amount"));
    assert_eq!(checkout.text_of("wallet"), record::WALLET);
}
