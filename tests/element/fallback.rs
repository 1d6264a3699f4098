//! The fallback is shown when there can't be a checkout, and the console explains why.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::attributes::signed;
use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::Proxy;
use crate::support::wait::settled;

const PROXY: (&str, &str) = ("proxy", "https://nobody.example");
const TOKEN: (&str, &str) = ("token", "usdtt");
const QUANTITY: (&str, &str) = ("quantity", "12.50");
const INVOICE: (&str, &str) = ("invoice-number", "INV-7");

#[wasm_bindgen_test]
async fn attributes_that_make_no_checkout() {
    let order = signed(&json!({ "token": "usdtt", "quantity": "1", "invoiceNumber": "INV-8" }));
    let unpriced = signed(&json!({ "token": "usdtt", "invoiceNumber": "INV-8" }));
    let foreign = signed(&json!({ "token": "eth", "quantity": "1", "invoiceNumber": "INV-8" }));
    let order = ("order", order.as_str());
    // Attributes, and a part of the message in the console.
    let cases: Vec<(Vec<(&str, &str)>, &str)> = vec![
        (vec![], "`proxy` is missing"),
        (vec![TOKEN, QUANTITY, INVOICE], "`proxy` is missing"),
        (vec![("proxy", " "), order], "`proxy` is missing"),
        (
            vec![("proxy", "https://:"), order],
            "`proxy` is not an http(s) address",
        ),
        (
            vec![("proxy", "javascript:alert(1)"), order],
            "`proxy` is not an http(s) address",
        ),
        (vec![PROXY], "`order` is missing"),
        (
            vec![PROXY, order, QUANTITY],
            "`order` and `quantity` contradict each other",
        ),
        (
            vec![PROXY, order, TOKEN],
            "`order` and `token` contradict each other",
        ),
        (vec![PROXY, ("order", "eyJhbGciOi...")], "not a signed JWT"),
        (vec![PROXY, ("order", "one.two")], "not a signed JWT"),
        (
            vec![PROXY, ("order", "e30.e30.c2ln")],
            "claims that can't be read",
        ),
        (vec![PROXY, ("order", &unpriced)], "no `quantity`"),
        (vec![PROXY, ("order", &foreign)], "the price is in `eth`"),
        (vec![PROXY, TOKEN, QUANTITY], "`invoice-number` is missing"),
        (vec![PROXY, TOKEN, INVOICE], "`quantity` is missing"),
        (
            vec![PROXY, TOKEN, ("quantity", "1,50"), INVOICE],
            "`quantity`",
        ),
        (
            vec![PROXY, TOKEN, ("quantity", "0"), INVOICE],
            "the price is zero",
        ),
        (
            vec![PROXY, ("token", "eth"), QUANTITY, INVOICE],
            "the price is in `eth`",
        ),
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
