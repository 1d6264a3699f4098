//! The payment of a signed order, found in a new tab or on another device.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::accessibility::name;
use crate::support::checkout::{Checkout, signed};
use crate::support::proxy::{CANCEL, CREATE, FIND, Proxy, Reply, Sent, TOKENS, status};
use crate::support::wait::{settled, until};
use crate::support::{page, record};

/// Status, state and further fields of a payment that is found, and the title that the page shows.
pub(crate) const STATES: [(&str, &str, &str, &str); 8] = [
    ("Seen", "pending", "", "Payment seen"),
    (
        "Partly",
        "underpaid",
        "",
        "Less than the amount has arrived",
    ),
    ("Created", "unknown", "", "This payment may have ended"),
    (
        "Created",
        "open",
        r#","orderPaid":true"#,
        "This order is already paid",
    ),
    (
        "Created",
        "open",
        r#","orderSeen":true"#,
        "This order may already be paid",
    ),
    ("Completed", "paid", "", "Payment received"),
    (
        "Completed",
        "paid",
        r#","orderPaid":true"#,
        "Payment received",
    ),
    ("Expired", "closed", "", "This payment is closed"),
];

/// A checkout of a signed order in a new tab.
pub(crate) fn open(proxy: &Proxy) -> Checkout {
    let order = signed(&json!({
        "token": "usdtt", "quantity": "12.50", "invoiceNumber": "INV-7",
        "returnUrl": "https://shop.example/orders/7",
    }));
    let checkout = Checkout::bare(&[("proxy", proxy.address()), ("order", &order)]);
    checkout.insert();
    checkout
}

/// The answer of the look-up: the payment in Bitcoin, in this state, with further fields.
pub(crate) fn found(status_text: &str, state: &str, fields: &str) -> Reply {
    let record = record::with_state(status_text, state);
    let fields = format!(r#""paymentTokenCode":"btc"{fields},"receipt""#);
    Reply::ok(record.replace(r#""receipt""#, &fields))
}

/// Checks a found payment in each state. The second argument of `check` is its title.
pub(crate) async fn through_the_states(check: impl Fn(&Checkout, &str)) {
    for (status, state, fields, title) in STATES {
        let proxy = Proxy::new();
        proxy.reply(FIND, found(status, state, fields));
        let checkout = open(&proxy);
        checkout.until_shown(title).await;
        settled().await;
        check(&checkout, title);
    }
}

/// A checkout that asks whether money was sent for the payment that it has found.
pub(crate) async fn asking() -> Checkout {
    let proxy = Proxy::new();
    proxy.reply(FIND, found("Created", "open", ""));
    let checkout = open(&proxy);
    checkout.until_part("change").await;
    checkout.press("Use another token");
    checkout.until_ready().await;
    settled().await;
    checkout
}

#[wasm_bindgen_test]
async fn each_state_is_shown_with_its_words_and_the_way_back() {
    for (status, state, fields, title) in STATES {
        let proxy = Proxy::new();
        proxy.reply(FIND, found(status, state, fields));
        let checkout = open(&proxy);
        checkout.until_shown(title).await;
        settled().await;
        assert_eq!(checkout.names("heading"), [title]);
        for part in ["wallet", "qr", "copy", "change", "tokens"] {
            assert!(!checkout.has_part(part), "{title}: {part}");
        }
        let link = checkout.part("return");
        assert_eq!(name(&link), "Back to the shop", "{title}");
        let url = link.get_attribute("href");
        assert_eq!(url.as_deref(), Some("https://shop.example/orders/7"));
        assert_eq!(
            checkout.has_part("contact"),
            state != "pending" && (state != "paid" || !fields.is_empty()),
            "{title}"
        );
        let sent = &proxy.sent(FIND)[0];
        let order = sent.authorization.as_deref().unwrap();
        assert!(order.starts_with("Bearer ey"), "{order}");
        assert!(!sent.query.contains("ey"), "the order is in no address");
    }
}

#[wasm_bindgen_test]
async fn a_marked_payment_says_why_it_can_not_be_cancelled() {
    let proxy = Proxy::new();
    proxy.reply(FIND, found("Created", "open", r#","sent":true"#));
    let checkout = open(&proxy);
    for hint in [
        "Money may already have been sent",
        "can't be cancelled or replaced here",
    ] {
        checkout.until_shown(hint).await;
    }
    settled().await;
    assert!(!checkout.has_part("cancel") && !checkout.text().contains("Send exactly"));
}

#[wasm_bindgen_test]
async fn another_token_is_paid_only_after_the_question() {
    let proxy = Proxy::new();
    proxy.reply(FIND, found("Created", "open", ""));
    let checkout = open(&proxy);
    checkout.until_shown("Send exactly").await;
    checkout.press("Use another token");
    checkout.until_ready().await;
    settled().await;
    assert_eq!(
        checkout.names("group"),
        ["Have you already sent money for it?"]
    );
    checkout.choose("TRON, TRON");
    checkout.pay();
    checkout.until_shown("First say whether").await;
    assert!(proxy.sent(CREATE).is_empty() && proxy.sent(CANCEL).is_empty());

    checkout.press("No, nothing was sent");
    settled().await;
    let other = record::payment(Some("receipt-8")).replace(record::ID, "another");
    checkout.submit(&proxy, other).await;
    let sent = &proxy.sent(CREATE)[0];
    assert_eq!(sent.json()["replaces"], record::ID);
    assert_eq!(sent.authorization.as_deref(), Some("Bearer receipt-7"));
    assert!(proxy.sent(CANCEL).is_empty(), "the proxy cancels it");
}

#[wasm_bindgen_test]
async fn a_press_waits_for_the_look_up() {
    let proxy = Proxy::new();
    let look_up = proxy.hold(FIND);
    let checkout = open(&proxy);
    checkout.until_ready().await;
    checkout.choose("TRON, TRON");
    checkout.pay();
    checkout.until_shown("Preparing").await;
    assert!(proxy.sent(CREATE).is_empty());
    look_up.open(Reply::Lost);
    checkout.until_shown("We could not check").await;

    proxy.reply(FIND, found("Seen", "pending", ""));
    checkout.pay();
    checkout.until_shown("Payment seen").await;
    assert!(proxy.sent(CREATE).is_empty());
}

#[wasm_bindgen_test]
async fn a_buyer_who_may_have_paid_is_not_told_to_choose_another_token() {
    for code in ["payment-progressed", "payment-unidentified", "payment-sent"] {
        let proxy = Proxy::new();
        let checkout = open(&proxy);
        checkout.until_ready().await;
        until("it is looked up", || proxy.sent(FIND).len() == 1).await;
        checkout.choose("TRON, TRON");
        proxy.reply(CREATE, Reply::problem(409, code));
        checkout.pay();
        checkout.until_shown("This order may already be paid").await;
        settled().await;
        assert!(checkout.text().contains("Don't pay again."), "{code}");
        assert!(
            checkout.has_part("contact") && !checkout.shows_fallback(),
            "{code}"
        );
        assert!(checkout.role("radio").is_empty(), "{code}");
    }
}

/// A cache that knows a response by its address would give one order's payment to another.
#[wasm_bindgen_test]
async fn each_request_for_a_payment_has_an_address_of_its_own() {
    let proxy = Proxy::new();
    for _ in 0..2 {
        proxy.reply(FIND, found("Created", "open", ""));
        let checkout = open(&proxy);
        checkout.until_shown("Send exactly").await;
        proxy.reply(&status(), Reply::ok(record::with_state("Created", "open")));
        checkout.call("refresh");
        until("it is read", || !proxy.sent(&status()).is_empty()).await;
        settled().await;
        page::session().clear().unwrap();
    }
    let personal = |sent: &Sent| sent.authorization.is_some() && sent.route.starts_with("GET");
    let mut addresses: Vec<_> = proxy.everything();
    addresses.retain(personal);
    let mut queries: Vec<_> = addresses.iter().map(|sent| &sent.query).collect();
    assert!(queries.len() >= 3, "{addresses:?}");
    assert!(queries.iter().all(|query| query.starts_with("?_=")));
    queries.sort();
    queries.dedup();
    assert_eq!(queries.len(), addresses.len());
    assert!(proxy.sent(TOKENS).iter().all(|sent| sent.query.is_empty()));
}
