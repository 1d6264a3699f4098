//! Tests of the form as HTML.

use tender_protocol::TokenCode;

use crate::prelude::*;

const PRICED: &str = "token=usdtt&quantity=1234.50&item-number=2&accept=trx+usdtt&payment-token=trx\
                      &ask=email!+name&locale=fr-CA";

impl World {
    /// The form as HTML.
    pub(crate) async fn form(&self, query: &str) -> Answer {
        self.get(&format!("{}?{query}", path::CHECKOUT)).await
    }
}

/// What is between the first `before` and the next `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap();
    rest.split_once(after).unwrap().0
}

/// As browsers, servers and older programs write it.
#[tokio::test]
async fn each_form_of_a_locale_finds_its_texts() {
    let world = World::new().await;
    for (written, lang, total) in [
        ("de_DE", "de", "25,50"),
        ("de_AT", "de", "25,50"),
        ("iw", "he", "25.50"),
        ("in_ID", "id", "25,50"),
        ("zh_CN", "zh", "25.50"),
        ("zh-Hant", "en", "25.50"),
        ("zh_TW", "en", "25.50"),
    ] {
        let query = format!("token=usdtt&quantity=25.50&locale={written}");
        let html = world.form(&query).await.body;
        assert!(
            html.starts_with(&format!(r#"<div lang="{lang}""#)),
            "{html}"
        );
        assert!(html.contains(total), "{written}: {html}");
    }
}

#[tokio::test]
async fn the_form_is_as_the_attributes_say() {
    let world = World::new().await;
    let answer = world.form(PRICED).await;
    answer.succeeds();
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let html = &answer.body;
    assert!(html.starts_with(r#"<div lang="fr" dir="ltr""#), "{html}");
    assert!(html.contains("1\u{a0}234,50"), "{html}");
    assert!(html.contains("Payer en TRX"), "{html}");
    let codes = html.matches(r#"name="payment-token" value=""#).count();
    assert_eq!(codes, 2, "{html}");
    assert_eq!(html.matches(" checked").count(), 1);
    let checked = html.find(" checked").unwrap();
    let usdt = html.find(r#"value="usdtt""#).unwrap();
    assert!(html.find(r#"value="trx""#).unwrap() < usdt && checked < usdt);
    for field in ["email", "name"] {
        assert!(html.contains(&format!(r#"<input id="{field}""#)), "{html}");
    }
    assert_eq!(html.matches(r#"aria-required="true""#).count(), 1);

    // The module starts from the accepted tokens of the same listing.
    let listing = world.get(path::TOKENS).await.body;
    let mut listing: Vec<Value> = serde_json::from_str(&listing).unwrap();
    let is_accepted =
        |token: &Value| TokenCode::from(token["token"].as_str().unwrap()).is_accepted();
    listing.retain(is_accepted);
    assert!(listing.len() > 4);
    let script = between(html, r#"<script type="application/json""#, "</script>");
    let (_, embedded) = script.split_once('>').unwrap();
    let embedded: Vec<Value> = serde_json::from_str(embedded).unwrap();
    assert_eq!(embedded, listing);
    assert_eq!(world.calls(Endpoint::Tokens), 1);

    // The payer chooses the amount, and nothing is asked for.
    let chosen = world.form("token=btc&item-number=0").await.body;
    assert!(chosen.contains(r#"<input id="amount""#), "{chosen}");
    assert!(chosen.starts_with(r#"<div lang="en""#), "{chosen}");
    assert!(!chosen.contains(" checked"), "{chosen}");
}

#[tokio::test]
async fn a_client_that_has_the_form_is_told_so() {
    let world = World::with(|config| {
        config.server.allow_origins = vec!["https://shop.example".parse().unwrap()];
    })
    .await;
    let request = || {
        let url = format!("{}?{PRICED}", path::CHECKOUT);
        let request = world.request(Method::GET, &url);
        let request = request.header("accept-encoding", "br");
        request.header("origin", "https://shop.example")
    };
    let first = request().send().await.unwrap();
    let headers = first.headers().clone();
    let text = |name| headers[name].to_str().unwrap();
    assert_eq!(text("cache-control"), "public, no-cache");
    assert_eq!(text("content-encoding"), "br");
    assert_eq!(text("access-control-allow-origin"), "https://shop.example");
    let vary = headers.get_all("vary").iter();
    let vary: Vec<_> = vary.map(|value| value.to_str().unwrap()).collect();
    assert!(vary.contains(&"accept-encoding"), "{vary:?}");
    assert!(vary.concat().contains("origin"), "{vary:?}");
    let length = first.bytes().await.unwrap().len();
    assert!(length < 2048, "{length} bytes");

    let again = request().header("if-none-match", text("etag"));
    let again = again.send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers()["etag"], headers["etag"]);
    assert!(again.bytes().await.unwrap().is_empty());

    // Another form, or the same one uncompressed, has another tag.
    let plain = world.form(PRICED).await;
    let other = world.form("token=btc&quantity=1").await;
    assert_ne!(plain.header("etag"), text("etag"));
    assert_ne!(plain.header("etag"), other.header("etag"));
}

#[tokio::test]
async fn invalid_attributes_are_refused() {
    let world = World::new().await;
    let long = format!("token=btc&quantity=1&accept={}", "x".repeat(1024));
    for query in [
        "",
        "quantity=1",
        "token=btc",
        "token=btc&quantity=0",
        "token=btc&quantity=1,5",
        "token=btc&quantity=-1",
        "token=eth&quantity=1",
        "token=btc&quantity=1&locale=%3Cb%3E",
        "token=btc&quantity=1&locale=a-very-long-tag-that-no-language-has-at-all",
        "token=btc&quantity=%FF",
        &long,
    ] {
        let answer = world.form(query).await;
        answer.is_refused_as(ProblemCode::InvalidRequest);
    }
    // Unknown parameters and token codes are ignored, as the element does.
    let other = world
        .form("token=btc&quantity=1&accept=eth+btc&order=x&invoice-number=1")
        .await;
    other.succeeds();
    other.has_no("invoice");
}

#[tokio::test]
async fn without_a_listing_there_is_no_form() {
    let world = World::new().await;
    world.inject(Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "").once());
    let down = world.form("token=btc&quantity=1").await;
    down.is_refused_as(ProblemCode::ServiceFailed);
    let record = r#"{"token":"btc","network":{"name":"Bitcoin"}}"#;
    let long = format!("[{record},\"{}\"]", "x".repeat(64 << 10));
    for empty_or_long in ["[]", &long] {
        let world = World::new().await;
        world
            .sandbox
            .controls()
            .replace_tokens(empty_or_long.to_owned());
        let none = world.form("token=btc&quantity=1").await;
        none.is_refused_as(ProblemCode::NotFound);
    }
}
