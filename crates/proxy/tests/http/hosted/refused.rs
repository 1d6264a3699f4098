//! What is refused, and what is not shown.

use jsonwebtoken::get_current_timestamp;

use super::browser::{Browser, without_scripts};
use crate::lost_responses::foreign;
use crate::prelude::*;

#[tokio::test]
async fn a_form_of_another_site_is_refused() {
    let world = World::new().await;
    let (browser, _) = Browser::with_form(&world).await;
    let form = || browser.form(&[("payment-token", "trx")]);
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let answer = Answer::to(form().header(name, value)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name}: {value}");
        assert!(answer.headers.get("set-cookie").is_none());
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    // An older browser says where the form came from, and a text browser nothing.
    let own = format!("http://{}", world.proxy.address());
    for request in [form().header("origin", own), form()] {
        assert_eq!(Answer::to(request).await.status, StatusCode::SEE_OTHER);
    }
    assert_eq!(world.payments().len(), 1);
}

#[tokio::test]
async fn invalid_orders_have_a_page_that_says_so() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let expired = order(json!({ "exp": get_current_timestamp() - 600 }));
    let answer = browser.open_order(&expired).await;
    assert_eq!(answer.status.as_u16(), ProblemCode::OrderExpired.status());
    answer.has("This order has expired");
    let answer = browser.submit(&[("payment-token", "trx")]).await;
    assert_eq!(answer.status.as_u16(), ProblemCode::OrderExpired.status());

    let forged = order(json!({})).replace('.', "x.");
    for order in [&*forged, "a.b.c", "", "%3Cscript%3E", &"x".repeat(5000)] {
        let answer = browser.open_order(order).await;
        assert!(answer.status.is_client_error(), "{order}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        answer.has("could not be verified");
        answer.has_no("payment-token");
        answer.has_no("<script");
    }
    for address in ["/pay", "/pay?payment=b", "/pay?order=%FF"] {
        let answer = browser.open(address).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{address}");
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
}

/// A cookie only says what its browser did.
#[tokio::test]
async fn a_forged_cookie_changes_nothing() {
    let world = World::new().await;
    let (mut browser, _) = Browser::with_payment(&world).await;
    let (name, value) = browser.cookies.remove(0);
    for forged in [
        String::new(),
        "~~".to_owned(),
        format!("{value}<b>~x"),
        "0000000000000000~<b>~x".to_owned(),
    ] {
        browser.cookies = vec![(name.clone(), forged.clone())];
        let page = browser.reload().await;
        assert_eq!(page.status, StatusCode::OK, "{forged}");
        page.has("Send exactly");
        page.has_no("<b>~");
        browser.submit(&[("action", "remove")]).await;
    }
}

#[tokio::test]
async fn a_record_that_contradicts_the_order_is_not_shown() {
    for (field, value) in [
        ("wallet", json!("<script>alert(1)</script>")),
        ("paymentToken", json!("BTC")),
        ("quantityPay", json!(0)),
    ] {
        let world = World::new().await;
        let record = foreign(&json!({
            "transactionId": "<img src=x onerror=alert(1)>", field: value,
        }));
        world.inject(responds(Endpoint::Create, StatusCode::OK, record).once());
        let (mut browser, _) = Browser::with_form(&world).await;
        let answer = browser.submit(&[("payment-token", "trx")]).await;
        answer.has(r#"role="alert""#);
        for shown in ["data-value", "part=\"wallet\"", "<script", "<img"] {
            answer.has_no(shown);
        }
    }
}

#[tokio::test]
async fn texts_of_records_are_escaped() {
    let world = World::new().await;
    let evil = r#"</title><script>alert(1)</script><img src=x onerror="alert(1)">"#;
    let listing = json!([{
        "token": "kxp", "name": evil, "symbol": "KXP", "logo": "https://evil.example/x.png",
        "network": { "name": evil, "explorer": "javascript:alert(1)//" },
    }]);
    world.sandbox.controls().replace_tokens(listing.to_string());
    let mut browser = Browser::new(&world);
    let order = order(json!({ "invoiceNumber": evil }));
    let form = browser.open_order(&order).await;
    let payment = browser.submit(&[("payment-token", "kxp")]).await;
    payment.has("data-value");
    for page in [without_scripts(&form), without_scripts(&payment)] {
        for markup in ["<script", "<img", "href=\"javascript", "src=\"https://evil"] {
            assert!(!page.contains(markup), "{markup}: {page}");
        }
    }
}
