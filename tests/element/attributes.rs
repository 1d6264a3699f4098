//! What each attribute does. The fallback is shown when the attributes make no checkout, and the console explains why.

mod buyer;
mod properties;

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// Chooses Bitcoin, submits, and returns the body of the request.
async fn submitted(proxy: &Proxy, checkout: &Checkout) -> String {
    checkout.choose("Bitcoin, Bitcoin");
    checkout.submit(proxy, record::payment(None)).await;
    proxy.sent(CREATE).pop().unwrap().body
}

#[wasm_bindgen_test]
async fn proxy_may_be_relative_to_the_page_and_end_with_a_slash() {
    let proxy = Proxy::here();
    let checkout = Checkout::ready(&proxy, &[("proxy", "/shop/pay/")]).await;
    assert_eq!(proxy.sent("GET /shop/pay/api/v1/rates/my-tokens").len(), 1);

    checkout.choose("Bitcoin, Bitcoin");
    let create = "POST /shop/pay/api/v1/payment";
    proxy.reply(create, Reply::ok(record::payment(None)));
    checkout.pay();
    checkout.until_part("amount").await;
    assert_eq!(proxy.sent(create).len(), 1);
}

#[wasm_bindgen_test]
async fn a_plain_order_is_sent_in_the_documented_fields_digit_by_digit() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    let body = submitted(&proxy, &checkout).await;
    assert!(
        body.contains(r#""quantity":12.50,"#),
        "a number, with the shop's own digits: {body}"
    );
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        body,
        json!({ "token": "usdtt", "quantity": 12.5, "paymentToken": "btc", "invoiceNumber": "INV-7" })
    );
    let sent = &proxy.sent(CREATE)[0];
    assert_eq!(sent.accept.as_deref(), Some("application/json"));
    assert_eq!(sent.authorization, None);
}

#[wasm_bindgen_test]
async fn item_number_zero_lets_the_payer_choose_the_amount() {
    let proxy = Proxy::new();
    let checkout = Checkout::bare(&[
        ("proxy", proxy.address()),
        ("token", "usdtt"),
        ("invoice-number", "INV-7"),
        ("item-number", "0"),
    ]);
    checkout.insert();
    checkout.until_ready().await;
    checkout.choose("Bitcoin, Bitcoin");
    for (typed, said) in [
        ("", "Enter an amount."),
        ("1,50", "without thousands separators"),
        ("0", "Enter the amount"),
        ("-2", "Enter the amount"),
    ] {
        checkout.fill("Amount in USDT", typed);
        checkout.pay();
        settled().await;
        let alert = checkout.alert();
        assert!(alert.contains(said), "{typed:?}: {alert}");
        let field = checkout.named("textbox", "Amount in USDT");
        assert_eq!(field.get_attribute("aria-invalid").as_deref(), Some("true"));
    }
    assert!(proxy.sent(CREATE).is_empty());

    checkout.fill("Amount in USDT", "0.10000001");
    let body = submitted(&proxy, &checkout).await;
    assert!(body.contains(r#""quantity":0.10000001,"#), "{body}");
    assert!(body.contains(r#""itemNumber":"0""#), "{body}");
}

#[wasm_bindgen_test]
async fn the_language_of_the_element_or_around_it_groups_the_digits_for_reading() {
    let proxy = Proxy::new();
    for (attribute, language, shown) in [
        ("locale", "de", "12.345,50 USDT"),
        ("locale", "en-IN", "12,345.50 USDT"),
        ("locale", "not a tag", "12345.5 USDT"),
        ("lang", "de", "12.345,50 USDT"),
    ] {
        let more = [("quantity", "12345.5"), (attribute, language)];
        let checkout = Checkout::ready(&proxy, &more).await;
        assert_eq!(checkout.text_of("price"), shown, "{attribute} {language}");
    }
}

const PROXY: (&str, &str) = ("proxy", "https://nobody.example");
const TOKEN: (&str, &str) = ("token", "usdtt");
const QUANTITY: (&str, &str) = ("quantity", "12.50");
const INVOICE: (&str, &str) = ("invoice-number", "INV-7");

#[wasm_bindgen_test]
async fn attributes_that_make_no_checkout() {
    // Attributes, and a part of the message in the console. The browser resolves the address.
    let invalid = "`proxy` is not an http(s) address";
    let order = [TOKEN, QUANTITY, INVOICE];
    let with_proxy = |proxy| [&[("proxy", proxy)][..], &order[..]].concat();
    let cases = [
        (vec![], "`proxy` is missing"),
        (with_proxy("https://:"), invalid),
        (with_proxy("javascript:alert(1)"), invalid),
        (vec![PROXY, TOKEN, INVOICE], "`quantity` is missing"),
    ];
    for (attributes, words) in cases {
        let console = Console::listen("error");
        let checkout = Checkout::bare(&attributes);
        checkout.insert();
        checkout.until_event("tender-error").await;
        settled().await;
        assert!(
            checkout.shows_fallback() && !checkout.shows_card(),
            "{attributes:?}"
        );
        let errors = checkout.details_of("tender-error");
        assert_eq!(errors.len(), 1, "{attributes:?}: {errors:?}");
        assert_eq!(errors[0]["code"], "config-invalid", "{errors:?}");
        assert_eq!(errors[0]["retryable"], false);
        let message = errors[0]["message"].as_str().unwrap();
        assert!(message.contains(words), "{attributes:?}: {message}");
        let lines = console.lines();
        assert_eq!(lines, [format!("<tender-checkout>: {message}")]);
    }
}

#[wasm_bindgen_test]
async fn words_that_are_not_understood_are_told_to_the_developer_only() {
    let console = Console::listen("warn");
    let proxy = Proxy::new();
    let more = [
        ("ask", "email phone"),
        ("theme", "sepia"),
        ("accept", "btc doge"),
        ("payment-token", "ada"),
    ];
    let checkout = Checkout::ready(&proxy, &more).await;
    assert_eq!(checkout.names("radio"), ["Bitcoin, Bitcoin"]);
    assert!(checkout.details_of("tender-error").is_empty());
    let lines = console.lines();
    for word in ["`phone`", "`sepia`", "`doge`", "`ada`", "`payment-token`"] {
        assert!(
            lines.iter().any(|line| line.contains(word)),
            "{word}: {lines:?}"
        );
    }
}
