//! What each attribute does.

mod buyer;
mod properties;

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::window;

use crate::support::checkout::{Checkout, ORDER};
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// An order as a shop's backend signs it (RFC 7519). The page can't verify the signature.
pub(crate) fn signed(claims: &Value) -> String {
    let encode = |text: &str| {
        let base64 = window().unwrap().btoa(text).unwrap();
        base64.replace('+', "-").replace('/', "_").replace('=', "")
    };
    let header = encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    format!(
        "{header}.{}.{}",
        encode(&claims.to_string()),
        encode("signature")
    )
}

/// Chooses Bitcoin, submits, and returns the body of the request.
async fn submitted(proxy: &Proxy, checkout: &Checkout) -> String {
    checkout.choose("Bitcoin, Bitcoin");
    checkout.submit(proxy, record::payment(None)).await;
    proxy.sent(CREATE).pop().unwrap().body
}

#[wasm_bindgen_test]
async fn proxy_may_be_relative_to_the_page_and_end_with_a_slash() {
    let proxy = Proxy::here();
    let checkout = Checkout::bare(&[]);
    for (name, value) in ORDER {
        checkout.set(name, value);
    }
    checkout.set("proxy", "/shop/pay/");
    checkout.insert();
    checkout.until_ready().await;
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
async fn a_signed_order_is_handed_on_and_its_price_is_shown() {
    let proxy = Proxy::new();
    let claims =
        json!({ "token": "usdtt", "quantity": "1234.5", "invoiceNumber": "INV-8", "exp": 2e9 });
    let order = signed(&claims);
    let checkout = Checkout::bare(&[("proxy", proxy.address()), ("order", &order)]);
    checkout.insert();
    checkout.until_ready().await;
    assert_eq!(
        checkout.part("price").text_content().unwrap(),
        "1,234.50 USDT"
    );

    let body: Value = serde_json::from_str(&submitted(&proxy, &checkout).await).unwrap();
    assert_eq!(body, json!({ "order": order, "paymentToken": "btc" }));
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
        let alert = checkout.role("alert")[0].text_content().unwrap();
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
async fn locale_groups_the_digits_for_reading() {
    let proxy = Proxy::new();
    for (locale, shown) in [
        ("de", "12.345,50 USDT"),
        ("en-IN", "12,345.50 USDT"),
        ("not a tag", "12345.5 USDT"),
    ] {
        let more = [("quantity", "12345.5"), ("locale", locale)];
        let checkout = Checkout::ready(&proxy, &more).await;
        assert_eq!(
            checkout.part("price").text_content().unwrap(),
            shown,
            "{locale}"
        );
    }
}

#[wasm_bindgen_test]
async fn without_a_locale_the_language_around_the_element_counts() {
    let proxy = Proxy::new();
    let checkout = Checkout::create(&proxy, &[("quantity", "12345.5")]);
    checkout.set("lang", "de");
    checkout.insert();
    checkout.until_ready().await;
    assert_eq!(
        checkout.part("price").text_content().unwrap(),
        "12.345,50 USDT"
    );
}

#[wasm_bindgen_test]
async fn theme_decides_between_light_and_dark() {
    let proxy = Proxy::new();
    let brightness = |checkout: &Checkout| {
        let style = window().unwrap().get_computed_style(&checkout.part("card"));
        let colour = style
            .unwrap()
            .unwrap()
            .get_property_value("background-color");
        let colour = colour.unwrap();
        let digits = colour
            .trim_start_matches("rgb(")
            .trim_end_matches(')')
            .split(',');
        digits
            .map(|part| part.trim().parse::<u32>().unwrap())
            .sum::<u32>()
    };
    let checkout = Checkout::ready(&proxy, &[("theme", "light")]).await;
    assert!(brightness(&checkout) > 3 * 200);
    checkout.set("theme", "dark");
    assert!(brightness(&checkout) < 3 * 60);

    // `auto`, or no theme, uses the page's colour scheme, which is light here.
    checkout.set("theme", "auto");
    let auto = brightness(&checkout);
    checkout.unset("theme");
    assert_eq!(auto, brightness(&checkout));
}
