//! The functions that put the form into the HTML of a shop's page: those of the example shops, and that of the npm package.
//!
//! Languages that are not installed are skipped with a message. `cargo xtask test` installs all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a helper of a test may stop it too"
)]

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::{StreamExt as _, stream};
use tender_programs::free_address;
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY, Settings, Shop};
use tokio::net::TcpListener;

/// The server entry of the npm package.
const NPM: Example = Example {
    name: "the npm package",
    folder: "npm",
    variable: "SHOP_NODE",
    prepare: "",
    probe: "node --version",
    run: "",
    reconcile: None,
};

/// A page's server is not delayed by more than this, on a busy machine.
const AT_ONCE: Duration = Duration::from_secs(10);

/// How often a test tries again because a busy machine has exceeded the timeout of the functions.
const ATTEMPTS: usize = 10;

const NEVER: Duration = Duration::from_mins(1);

/// Each reads lines of a token and an order, and prints the template of each, and a zero byte.
const CALLS: [(Example, &str); 6] = [
    (
        NODE,
        r#"exec node --input-type=module --eval '
            import { readFileSync } from "node:fs";
            import { checkoutTemplate } from "./form.js";
            for (const line of readFileSync(0, "utf8").trim().split("\n")) {
              const [token, order] = line.split(" ");
              const fields = { token, quantity: "48.50", locale: "en" };
              process.stdout.write(await checkoutTemplate(process.env.PROXY, order, fields, "4f2a") + "\0");
            }'"#,
    ),
    (
        NPM,
        r#"exec node --input-type=module --eval '
            import { readFileSync } from "node:fs";
            import { checkoutTemplate } from "./server.js";
            for (const line of readFileSync(0, "utf8").trim().split("\n")) {
              const [, order] = line.split(" ");
              const attributes = { locale: "en", accept: undefined };
              const template = await checkoutTemplate({ proxy: `${process.env.PROXY}/`, order, attributes, nonce: "4f2a" });
              process.stdout.write(template + "\0");
            }'"#,
    ),
    (
        PYTHON,
        r#"exec python3 -c '
import os, sys
from form import checkout_template
for line in sys.stdin:
    token, order = line.split()
    fields = {"token": token, "quantity": "48.50", "locale": "en"}
    print(checkout_template(os.environ["PROXY"], order, fields, "4f2a"), end="\0")
'"#,
    ),
    (
        RUBY,
        r#"exec ruby -r ./form -e '
            STDIN.each_line do |line|
              token, order = line.split
              fields = { token: token, quantity: "48.50", locale: "en" }
              print checkout_template(ENV["PROXY"], order, fields, "4f2a"), "\0"
            end'"#,
    ),
    (
        PHP,
        r#"exec php -d display_errors=stderr -r '
            require "form.php";
            foreach (file("php://stdin", FILE_IGNORE_NEW_LINES) as $line) {
                [$token, $order] = explode(" ", $line);
                $fields = ["token" => $token, "quantity" => "48.50", "locale" => "en"];
                echo Tender\checkout_template(getenv("PROXY"), $order, $fields, "4f2a", "."), "\0";
            }'"#,
    ),
    (
        GO,
        r#"cat > call.go <<'END'
package main

import (
	"fmt"
	"net/url"
	"os"
)

func main() {
	var token, order string
	for {
		if count, _ := fmt.Scan(&token, &order); count < 2 {
			return
		}
		fields := url.Values{"token": {token}, "quantity": {"48.50"}, "locale": {"en"}}
		fmt.Print(checkoutTemplate(os.Getenv("PROXY"), order, fields, "4f2a"), "\x00")
	}
}
END
        go build -o call form.go call.go && exec ./call"#,
    ),
];

/// The requests for forms: their queries, and when they arrived.
#[derive(Clone, Default)]
struct Requests(Arc<Mutex<Vec<(String, SystemTime)>>>);

impl Requests {
    /// The only one for the form of this token, if it has arrived.
    fn of(&self, token: &str) -> Option<(String, SystemTime)> {
        let token = format!("token={token}");
        let requests = self.0.lock().unwrap();
        let mut of_token = requests
            .iter()
            .filter(|(query, _)| query.split('&').any(|pair| pair == token));
        let request = of_token.next().cloned();
        assert_eq!(of_token.next(), None);
        request
    }

    /// Most functions request a form again in the next minute of the clock.
    fn are_of_one_minute(&self) -> bool {
        let requests = self.0.lock().unwrap();
        let since_1970 = requests
            .iter()
            .map(|(_, arrived)| arrived.duration_since(UNIX_EPOCH).unwrap());
        let minutes: BTreeSet<_> = since_1970.map(|time| time.as_secs() / 60).collect();
        minutes.len() <= 1
    }
}

/// A proxy that answers as the token says.
async fn proxy() -> (String, Requests) {
    let requests = Requests::default();
    let routes = Router::new()
        .route("/v1/checkout.html", get(form))
        .route("/form", get(async || Html(with_order())))
        .with_state(requests.clone());
    let listener = TcpListener::bind(free_address()).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, routes).await });
    (url, requests)
}

fn html(form: &str) -> String {
    format!("<style>a > b {{}}</style>{form}<slot></slot>")
}

/// A form that is right.
fn with_order() -> String {
    html(r#"<input name="order" value="{{order}}">"#)
}

async fn form(
    State(Requests(requests)): State<Requests>,
    RawQuery(query): RawQuery,
    Query(values): Query<HashMap<String, String>>,
) -> Response {
    let request = (query.unwrap(), SystemTime::now());
    requests.lock().unwrap().push(request);
    let order = with_order();
    let as_html = [(CONTENT_TYPE, "text/html; charset=utf-8")];
    match &**values.get("token").unwrap() {
        "text" => ([(CONTENT_TYPE, "text/plain")], order).into_response(),
        "long" => (as_html, html(&"x".repeat(65_536))).into_response(),
        "script" => (as_html, html("<SCRIPT>alert(1)</SCRIPT>")).into_response(),
        "failed" => (StatusCode::INTERNAL_SERVER_ERROR, as_html, order).into_response(),
        "redirected" => Redirect::temporary("/form").into_response(),
        "moved" => (StatusCode::NON_AUTHORITATIVE_INFORMATION, as_html, order).into_response(),
        "slow" => {
            tokio::time::sleep(NEVER).await;
            (as_html, order).into_response()
        }
        "stalls" => {
            let start = order.replace("</slot>", "");
            let start = stream::iter([Ok::<_, io::Error>(start)]);
            let rest = stream::once(tokio::time::sleep(NEVER)).map(|()| Ok("</slot>".to_owned()));
            (as_html, Body::from_stream(start.chain(rest))).into_response()
        }
        "cut" => {
            let length = [(CONTENT_LENGTH, order.len())];
            let start = stream::iter([Ok(order.replace("</slot>", ""))]);
            // After the start has been sent: before it, clients try again.
            let pause = tokio::time::sleep(Duration::from_millis(50));
            let end = stream::once(pause).map(|()| Err(io::Error::other("cut off")));
            (as_html, length, Body::from_stream(start.chain(end))).into_response()
        }
        _ => (as_html, order).into_response(),
    }
}

/// What a script prints, of which the first is a form, and its requests for the forms of these tokens. `None` if the language
/// is skipped.
async fn run(
    example: Example,
    script: &'static str,
    input: &str,
    tokens: &[&str],
) -> Option<(Vec<String>, Requests)> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        assert!(attempt <= ATTEMPTS, "{}: no form", example.name);
        let (url, requests) = proxy().await;
        let input = input.to_owned();
        let printed = tokio::task::spawn_blocking(move || example.printed_by(script, &url, &input));
        let printed = printed.await.unwrap()?;
        if !requests.are_of_one_minute() {
            continue;
        }
        let have_arrived = tokens.iter().all(|token| requests.of(token).is_some());
        if have_arrived && !printed.starts_with('\0') {
            let printed = printed.split_terminator('\0').map(str::to_owned);
            return Some((printed.collect(), requests));
        }
    }
}

/// An order whose price is a number, with something like one in a text.
fn order(token: &str) -> String {
    let claims = format!(r#"{{"name":"\"1.0é","token":"{token}","quantity":48.50,"test":true}}"#);
    format!("e30.{}.c2ln-_", BASE64_URL_SAFE_NO_PAD.encode(claims))
}

fn template(order: &str) -> String {
    format!(
        r#"<template shadowrootmode="open"><style nonce="4f2a">a > b {{}}</style><input name="order" value="{order}"><slot></slot></template>"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_form_gets_into_the_page() {
    let none = [
        "text",
        "long",
        "script",
        // Requested once, because also a failure is kept for some seconds.
        "failed",
        "failed",
        "redirected",
        "moved",
        "slow",
        "stalls",
        "cut",
    ];
    let other = order("usdtt").replace("c2ln", "b3Ro");
    let cases = [
        ("usdtt", order("usdtt"), template(&order("usdtt"))),
        // The same form for another order.
        ("usdtt", other.clone(), template(&other)),
        ("usdtt", other.replace('.', "\"."), String::new()),
        ("usdtt", format!("{other}\""), String::new()),
        ("usdtt", other.replace('.', "-"), String::new()),
    ];
    let none = none.map(|token| (token, order(token), String::new()));
    let cases: Vec<_> = cases.into_iter().chain(none).collect();
    let lines = cases
        .iter()
        .map(|(token, order, _)| format!("{token} {order}"));
    let input = lines.collect::<Vec<_>>().join("\n") + "\n";
    let tokens: BTreeSet<_> = cases.iter().map(|(token, ..)| *token).collect();
    let tokens = Vec::from_iter(tokens);

    for (example, script) in CALLS {
        let Some((printed, requests)) = run(example, script, &input, &tokens).await else {
            continue;
        };
        assert_eq!(printed.len(), cases.len(), "{}: {printed:?}", example.name);
        for ((token, order, expected), template) in cases.iter().zip(&printed) {
            assert_eq!(template, expected, "{}: {token} {order}", example.name);
        }
        for token in &tokens {
            let (query, _) = requests.of(token).unwrap();
            let mut query: Vec<_> = query.split('&').collect();
            query.sort_unstable();
            let token = format!("token={token}");
            let expected = ["inline=style", "locale=en", "quantity=48.50", &token];
            assert_eq!(query, expected, "{}", example.name);
        }
        let (_, arrived) = requests.of("slow").unwrap();
        let delay = arrived.elapsed().unwrap();
        assert!(delay < AT_ONCE, "{}: {delay:?}", example.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_npm_package_takes_the_price_from_the_order() {
    let script = r#"exec node --input-type=module --eval '
        import { checkoutTemplate } from "./server.js";
        const order = (claims) => `e30.${Buffer.from(claims).toString("base64url")}.c2ln`;
        const { PROXY: proxy } = process.env;
        const attributes = { ask: "email!", "payment-token": "trx", accept: "trx usdtt", locale: null };
        const signed = order(`{"token":"btc","quantity":1.0e-7,"itemNumber":0}`);
        for (const options of [
          { order: signed, attributes },
          { order: signed, attributes: { ...attributes, texts: "{}" } },
          { order: order("no JSON") },
        ]) process.stdout.write(await checkoutTemplate({ proxy, ...options }) + "\0");'"#;
    let Some((printed, requests)) = run(NPM, script, "", &["btc"]).await else {
        return;
    };
    let [form, with_texts, without_claims] = &printed[..] else {
        panic!("{printed:?}");
    };
    let start = r#"<template shadowrootmode="open"><style>a > b {}</style><input"#;
    assert!(form.starts_with(start), "{form}");
    assert_eq!([with_texts, without_claims], ["", ""]);
    let (query, _) = requests.of("btc").unwrap();
    assert_eq!(
        query,
        "token=btc&quantity=1.0e-7&item-number=0&accept=trx+usdtt&payment-token=trx&ask=email%21&inline=style"
    );
}

/// The policy and the HTML of the shop's page, once it has a form.
async fn page_with_form(shop: &Shop) -> (String, String) {
    let mut attempt = 0;
    loop {
        attempt += 1;
        assert!(attempt <= ATTEMPTS, "{shop:?}: no form");
        let page = reqwest::get(shop.server.url("/")).await.unwrap();
        let policy = page.headers().get("content-security-policy").unwrap();
        let policy = policy.to_str().unwrap().to_owned();
        let html = page.text().await.unwrap();
        if html.contains("<template") {
            return (policy, html);
        }
        // A failure is kept for up to a minute.
        tokio::time::sleep(Duration::from_secs(7)).await;
    }
}

/// The pages have it unescaped, and a policy that allows it.
#[tokio::test(flavor = "multi_thread")]
async fn the_shops_pages_have_the_form() {
    let (url, _) = proxy().await;
    let settings = Settings {
        proxy: url.clone(),
        logos: "https://logos.service.example".to_owned(),
        order_key: "2026-02=a secret of 32 characters or more".to_owned(),
        notify_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned(),
        merchant_key: String::new(),
        allow_test_mode: false,
    };
    for example in [NODE, PYTHON, PHP, RUBY, GO] {
        let Some(shop) = example.start(free_address(), &settings).await else {
            continue;
        };
        let (policy, html) = page_with_form(&shop).await;
        let (_, nonce) = policy.split_once("style-src 'nonce-").expect(&policy);
        let (nonce, _) = nonce.split_once('\'').unwrap();
        assert!(nonce.len() >= 32, "{policy}");
        assert!(
            policy.contains(&format!("; form-action {url};")),
            "{policy}"
        );
        let (_, order) = html.split_once("order=\"").unwrap();
        let (order, _) = order.split_once('"').unwrap();
        let template = template(order).replace("4f2a", nonce);
        let element = format!(">\n    {template}\n    <a href=\"{url}/pay?order={order}\">");
        assert!(html.contains(&element), "{}: {html}", example.name);
    }
}
