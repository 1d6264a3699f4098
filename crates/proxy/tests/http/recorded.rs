//! The recorded requests and responses in `contract/routes.json`: one of each route, and one of each kind of problem.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;

use axum::body::Bytes;
use http_body_util::StreamBody;
use reqwest::{Body, RequestBuilder};
use tempfile::TempDir;
use tender_protocol::Delivery;

use crate::contract::DOCUMENT;
use crate::current::is_current;
use crate::orders::Contract;
use crate::payment_links::with_links;
use crate::prelude::*;
use crate::tape::Tape;

const DESCRIPTION: &str =
    "A request to each route of the proxy with its response, and one for each kind of problem.";

#[tokio::test]
async fn the_recorded_routes_are_current() {
    let mut tape = Tape::default();
    routes(&mut tape).await;
    refused_requests(&mut tape).await;
    refused_orders(&mut tape).await;
    attempts(&mut tape).await;
    marks(&mut tape).await;
    failures_of_the_service(&mut tape).await;
    failures_of_the_proxy(&mut tape).await;

    let recorded: BTreeSet<_> = tape.names().collect();
    // Nothing that a client does leads to an internal error.
    let problems = ProblemCode::ALL.iter().map(|code| code.as_str());
    let problems = problems.filter(|code| *code != ProblemCode::Internal.as_str());
    let items = DOCUMENT["paths"].as_object().unwrap().values();
    let routes = items.flat_map(|item| item.as_object().unwrap().values());
    let routes = routes.map(|route| route["operationId"].as_str().unwrap());
    let all: BTreeSet<_> = routes.chain(problems).collect();
    let missing: Vec<_> = all.difference(&recorded).collect();
    assert!(missing.is_empty(), "{missing:?}");
    is_current(
        "contract/routes.json",
        &tape.written(DESCRIPTION),
        "http recorded",
    );
}

/// The request to pay this order, which never expires.
fn pays(invoice_number: &str, token: &str) -> Value {
    paying_in(token, &signed(invoice_number))
}

fn signed(invoice_number: &str) -> String {
    order(json!({ "invoiceNumber": invoice_number, "exp": 4_102_444_800_u64 }))
}

impl World {
    fn pay(&self, invoice_number: &str) -> RequestBuilder {
        self.post(path::PAYMENT, &pays(invoice_number, "trx"))
    }

    fn reads(&self, path: &str) -> RequestBuilder {
        self.by_merchant(Method::GET, path)
    }

    fn posts(&self, path: &str, body: &Value) -> RequestBuilder {
        self.by_merchant(Method::POST, path).json(body)
    }

    fn cancels(&self, id: &str, key: &str) -> RequestBuilder {
        let body = json!({ "transactionId": id });
        self.post(path::CANCEL, &body).bearer_auth(key)
    }
}

async fn routes(tape: &mut Tape) {
    let shop = Shop::open().await;
    let assets = TempDir::new().unwrap();
    fs::write(assets.path().join("checkout.js"), "// the loader").unwrap();
    let world = World::with(|config| {
        with_links(config);
        shop.receives(config);
        config.server.assets = Some(assets.path().to_owned());
    })
    .await;
    tape.replace(world.sandbox.rates_base_url(), "https://service.example");
    let page = format!("{}?order={}", path::PAY, signed("INV-2"));
    let open = [
        path::TOKENS,
        "/v1/checkout.html?token=usdtt&quantity=25.00",
        "/v1/checkout.js",
        path::OPENAPI,
        "/healthz",
        "/readyz",
        &page,
    ];
    tape.record_all(open.map(|path| world.request(Method::GET, path)))
        .await;
    let form = world.request(Method::POST, &page);
    let form = form.header("sec-fetch-site", "same-origin");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    tape.record(form.body("payment-token=trx")).await;

    let create = world.post(path::PAYMENT, &pays("INV-1", "trx"));
    let created = tape.record(create.header("idempotency-key", "key-1")).await;
    let payment = Followed::from(&created);
    let of_payment = format!("{}/{}", path::PAYMENT, payment.id);
    let find = world.request(Method::GET, path::PAYMENT);
    tape.record(find.bearer_auth(signed("INV-1"))).await;
    let read = world.request(Method::GET, &of_payment);
    tape.record(read.bearer_auth(&payment.receipt)).await;
    let events = world.listening(&payment);
    tape.record_stream(events, 1, async {}).await;
    tape.record(world.marks(&payment, "secret")).await;
    tape.record(world.unmarks(&payment, "secret")).await;
    let sent = format!("{of_payment}{}", path::SENT);
    tape.record(world.by_merchant(Method::DELETE, &sent)).await;

    let notification = json!({ "invoiceNumber": "INV-3" });
    let webhook = || world.post(&format!("/webhook/{WEBHOOK_SECRET}"), &notification);
    let change = async {
        Answer::to(world.pay("INV-3")).await.succeeds();
        Answer::to(webhook()).await.succeeds();
    };
    let all = world.reads(path::EVENTS);
    tape.record_stream(all, 2, change).await;
    shop.until_received(3).await;
    let answered = |list: &[Delivery]| list.iter().filter(|one| one.answer.is_some()).count();
    world.until_deliveries("", |list| answered(list) == 3).await;
    let query = format!("?transactionId={}", payment.id);
    let link =
        json!({ "token": "usdtt", "quantity": "48.50", "invoiceNumber": "INV-4", "expires": "7d" });
    tape.record_all([
        world.reads(path::LIST),
        world.reads(&format!("{}{query}", path::LEDGER)),
        world.reads(&format!("{}?invoiceNumber=INV-1", path::ORDERS)),
        world.reads(&format!("{}{query}", path::DELIVERIES)),
        world.posts(path::RESEND, &json!({ "givenUp": true })),
        world.posts(path::ORDERS, &link),
        world.cancels(&payment.id, &payment.receipt),
        world.by_merchant(Method::POST, &format!("{of_payment}{}", path::RELEASE)),
        webhook(),
    ])
    .await;
}

async fn refused_requests(tape: &mut Tape) {
    let world = World::with(|config| {
        config.server.allow_origins = vec!["https://shop.example".parse().unwrap()];
        config.limits.failures = 1;
    })
    .await;
    let text = world.request(Method::POST, path::PAYMENT).body("token=btc");
    let long = pays(&"1".repeat(16 << 10), "trx");
    let get = |path| world.request(Method::GET, path);
    tape.record_all([
        world.posts(path::CANCEL, &json!({})),
        text.header("content-type", "text/plain"),
        world.post(path::PAYMENT, &long),
        get("/api/v1/prices"),
        world.request(Method::DELETE, path::TOKENS),
        get(path::TOKENS).header("origin", "https://other.example"),
        get(path::LIST),
        world.reads(&format!("{}/unknown", path::PAYMENT)),
        get(path::LIST).bearer_auth("another key"),
        get(path::LIST).bearer_auth("another key"),
    ])
    .await;
}

async fn refused_orders(tape: &mut Tape) {
    let mut contract = Contract::read();
    let worlds = contract.worlds().await;
    let mut codes = BTreeSet::new();
    for refused in contract.refused {
        if codes.insert(refused.code.as_str()) {
            let pay = worlds[&refused.keys].post(path::PAYMENT, &paying(&refused.order));
            tape.record(pay).await;
        }
    }
    let world = World::new().await;
    let mut other = pays("INV-1", "trx");
    other["quantity"] = json!("1.00");
    let refused = [plain(json!({})), other, pays("INV-1", "eth")];
    tape.record_all(refused.map(|body| world.post(path::PAYMENT, &body)))
        .await;
}

async fn attempts(tape: &mut Tape) {
    let mut world = World::persistent(|_| {}).await;
    let pay = |world: &World, number, token, key: &'static str| {
        world
            .post(path::PAYMENT, &pays(number, token))
            .header("idempotency-key", key)
    };
    let first = tape.prepare(pay(&world, "INV-1", "trx", "key-1")).await;
    let changed = ["key-2", "key-1"];
    tape.record_all(changed.map(|key| pay(&world, "INV-1", "btc", key)))
        .await;
    world.set_status(&first.id, "2", "Seen");
    tape.record(world.cancels(&first.id, &first.receipt)).await;

    let second = tape.prepare(pay(&world, "INV-2", "trx", "key-3")).await;
    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::Cancel));
    Answer::to(world.cancels(&second.id, &second.receipt)).await;
    tape.record_all([
        pay(&world, "INV-2", "trx", "key-3"),
        pay(&world, "INV-2", "trx", "key-4"),
        world.cancels("unknown", MERCHANT_KEY),
    ])
    .await;
    world.sandbox.controls().clear_faults();

    world.inject(responds(Endpoint::Create, StatusCode::OK, first.record).once());
    tape.record(pay(&world, "INV-3", "trx", "key-5")).await;
    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::Create).once());
    Answer::to(pay(&world, "INV-4", "trx", "key-6")).await;
    world.inject(page(json!([{}])).once());
    tape.record(pay(&world, "INV-4", "trx", "key-7")).await;

    let held = Fault::new(Outcome::Handle).hold_ms(10_000);
    world.inject(held.on(Endpoint::Create));
    let calls = world.calls(Endpoint::Create);
    let first = tokio::spawn(Answer::to(pay(&world, "INV-5", "trx", "key-8")));
    world.until_called(Endpoint::Create, calls + 1).await;
    let impatient = Duration::from_millis(200);
    let _first_instance = world
        .replace_proxy(|config| config.upstream.timeout = impatient)
        .await;
    tape.record(pay(&world, "INV-5", "trx", "key-9")).await;
    first.abort();
}

async fn marks(tape: &mut Tape) {
    let world = World::new().await;
    let payment = tape.prepare(world.pay("INV-1")).await;
    world.mark(&payment, "secret").await;
    tape.record(world.cancels(&payment.id, &payment.receipt))
        .await;
    Answer::to(world.cancels(&payment.id, MERCHANT_KEY))
        .await
        .succeeds();
    tape.record(world.marks(&payment, "another")).await;
}

async fn failures_of_the_service(tape: &mut Tape) {
    let mut world = World::with(|config| {
        config.upstream.max_creates = 1;
    })
    .await;
    for fault in [
        Fault::respond(StatusCode::BAD_REQUEST, "no"),
        Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "no"),
        Fault::new(Outcome::Html),
        Fault::new(Outcome::DropRequest),
    ] {
        world.inject(fault.on(Endpoint::List).once());
        tape.record(world.reads(path::LIST)).await;
    }
    world.inject(Fault::new(Outcome::Handle).hold_ms(60_000));
    let first = tokio::spawn(Answer::to(world.pay("INV-1")));
    world.until_called(Endpoint::Create, 1).await;
    tape.record(world.pay("INV-2")).await;
    first.abort();
    let impatient = Duration::from_millis(200);
    let _first_instance = world
        .replace_proxy(|config| config.upstream.timeout = impatient)
        .await;
    tape.record(world.reads(path::LIST)).await;
}

async fn failures_of_the_proxy(tape: &mut Tape) {
    let world = World::persistent(|config| {
        config.server.request_timeout = Duration::from_secs(1);
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
        config.tracking.max_streams_per_payment = 1;
    })
    .await;
    let payment = tape.prepare(world.pay("INV-1")).await;
    let _stream = world.listen(&payment).await;
    tape.record(world.listening(&payment)).await;
    let silent = futures_util::stream::pending::<Result<hyper::body::Frame<Bytes>, Infallible>>();
    let body = Body::wrap(StreamBody::new(silent));
    let slow = world.request(Method::POST, path::PAYMENT).body(body);
    tape.record(slow.header("content-type", "application/json"))
        .await;

    world.inject(Fault::new(Outcome::Handle).behind(&Gate::closed()));
    let create = tokio::spawn(Answer::to(world.pay("INV-2")));
    world.until_called(Endpoint::Create, 2).await;
    world.execute("DROP TABLE payments").await;
    tape.record(world.reads(&format!("{}/{}", path::PAYMENT, payment.id)))
        .await;

    let health = format!("http://{}/readyz", world.proxy.metrics_address().unwrap());
    let ready = || reqwest::Client::new().get(&health);
    let stopping = tokio::spawn(world.proxy.stop());
    while Answer::to(ready()).await.status == StatusCode::OK {}
    tape.record(ready()).await;
    create.abort();
    stopping.abort();
}
