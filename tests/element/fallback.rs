//! The fallback is shown when there can't be a checkout, and the console explains why.

use wasm_bindgen_test::wasm_bindgen_test;

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
