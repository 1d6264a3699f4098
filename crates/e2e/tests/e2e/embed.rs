//! Ways to embed the checkout, its events, and the Content Security Policy.

use serde_json::json;

use crate::support::{Browser, Role, Servers, dist};

/// From the skeleton to the payment, under the sample shop's policy.
#[tokio::test(flavor = "multi_thread")]
async fn a_strict_content_security_policy_has_nothing_to_refuse() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.is_choosing().await;
    // The logos load one after the other.
    for logo in checkout.select(".logo img").await.unwrap() {
        browser.has_loaded(&logo).await;
    }
    checkout.pay_with("Bitcoin, Bitcoin").await;
    checkout.amount().await;
    assert_eq!(browser.refused_by_policy().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);

    // The policy is active, and violations are recorded.
    browser
        .execute("document.body.setAttribute('style', 'color: red')")
        .await;
    assert_eq!(
        browser.refused_by_policy().await,
        ["style-src-attr: inline"]
    );
}

/// No text becomes code: neither the loader nor the module needs a policy of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_requires_trusted_types_has_nothing_to_refuse() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let policy = "require-trusted-types-for 'script'; trusted-types 'none'";
    let proxy = servers.proxy_url();
    let order = servers.sign(json!({
        "token": "usdtt", "quantity": "3.25", "invoiceNumber": "INV-1042",
    }));
    let page = servers.page(&format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">
         <script src=\"{proxy}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{proxy}\" order=\"{order}\" locale=\"de\"></tender-checkout>"
    ));
    let checkout = browser.visit(&page).await;
    checkout.choose("Bitcoin, Bitcoin").await;
    checkout.press("Mit BTC im Netzwerk Bitcoin bezahlen").await;
    checkout.part("amount").await;
    assert_eq!(browser.refused_by_policy().await, [""; 0]);

    // The policy is active, and violations are recorded.
    browser
        .execute("try { document.createElement('div').innerHTML = '<b>x</b>' } catch {}")
        .await;
    assert_eq!(
        browser.refused_by_policy().await,
        ["require-trusted-types-for: trusted-types-sink"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_gets_all_events_in_order() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("invoice=INV-1042")).await;
    checkout.pay_with("TRON, TRON").await;
    checkout.amount().await;
    let payment = servers.only_payment();
    checkout.cancel().await;
    browser.event("tender-cancelled").await;

    // The event for the new status may come before the cancel response, or not at all.
    let mut dispatched = browser.event_names().await;
    dispatched.retain(|name| name != "tender-status");
    let names = ["tender-ready", "tender-created", "tender-cancelled"];
    assert_eq!(dispatched, names);
    let created = browser.event("tender-created").await;
    assert_eq!(
        created.detail["payment"],
        json!({
            "transactionId": payment.transaction_id,
            "token": "USDTT",
            "paymentToken": "TRX",
            "quantity": "48.50",
            "quantityPay": "156.45161291",
            "priceUsd": "48.50",
            "purchaseEmail": "buyer@example.com",
            "purchaseName": null,
            "invoiceNumber": "INV-1042",
            "itemNumber": null,
            "statusId": "1",
            "statusText": "Created",
            "wallet": payment.wallet,
            "createdAt": payment.created_at,
            "state": null,
            "paymentAsset": {
                "chainId": "tron:0x2b6653dc", "assetId": "tron:0x2b6653dc/slip44:195",
            },
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_tag_is_enough() {
    let servers = Servers::open().await;
    let proxy = servers.proxy_url();
    for (invoice, attributes) in [("INV-1", "async"), ("INV-2", "type=\"module\"")] {
        let order = servers.sign(json!({
            "token": "usdtt", "quantity": "3.25", "invoiceNumber": invoice,
        }));
        let browser = Browser::start().await;
        let checkout = browser
            .visit(&servers.page(&format!(
                "<p>Before</p>
                 <script src=\"{proxy}/v1/checkout.js\" {attributes}
                     data-proxy=\"{proxy}\" data-order=\"{order}\"
                     data-accept=\"usdtt kxp\"></script>
                 <p>Behind</p>"
            )))
            .await;
        checkout.is_choosing().await;
        assert_eq!(
            checkout.names(Role::Radio).await,
            ["Tether USD, TRON", "KXP, KXP"]
        );
        let place = "return arguments[0].previousElementSibling.tagName";
        let before: String = browser
            .run(place, [checkout.host().to_json().unwrap()])
            .await;
        assert_eq!(before, "SCRIPT");
        checkout.choose("Tether USD, TRON").await;
        checkout.press("Pay 3.25 USDT on TRON (TRC20)").await;
        assert_eq!(checkout.amount().await, "3.25");
    }
    assert_eq!(servers.payments().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_checkouts_on_a_page_do_not_disturb_each_other() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let proxy = servers.proxy_url();
    let element = |id: &str, quantity: &str| {
        let order = servers.sign(json!({
            "token": "usdtt", "quantity": quantity, "invoiceNumber": id,
        }));
        format!(
            "<tender-checkout id=\"{id}\" proxy=\"{proxy}\" order=\"{order}\"></tender-checkout>"
        )
    };
    let (coffee, cake) = (element("coffee", "3.50"), element("cake", "4.25"));
    let page = servers.page(&format!(
        "{coffee}{cake}<script src=\"{proxy}/v1/checkout.js\" async></script>"
    ));
    let coffee = browser.visit(&page).await;
    let cake = browser.checkout("#cake").await;
    coffee.choose("Tether USD, TRON").await;
    cake.choose("TRON, TRON").await;
    let coffees = coffee.get(Role::Radio, "Tether USD, TRON").await;
    assert!(coffees.is_selected().await.unwrap());

    coffee.press("Pay 3.50 USDT on TRON (TRC20)").await;
    assert_eq!(coffee.amount().await, "3.5");
    cake.is_choosing().await;
    cake.press("Pay in TRX on TRON").await;
    assert_eq!(cake.amount().await, "13.709678");
    assert_eq!(coffee.text_of("invoice").await, "coffee");
    assert_eq!(cake.text_of("invoice").await, "cake");

    let events = browser.events().await.into_iter();
    let created = events.filter(|event| event.name == "tender-created");
    let created: Vec<_> = created
        .map(|event| {
            (
                event.target,
                event.detail["payment"]["invoiceNumber"].clone(),
            )
        })
        .collect();
    assert_eq!(
        created,
        [
            ("coffee".to_owned(), json!("coffee")),
            ("cake".to_owned(), json!("cake"))
        ]
    );
    let quantities: Vec<_> = servers
        .payments()
        .iter()
        .map(|payment| payment.quantity.to_string())
        .collect();
    assert_eq!(quantities, ["4.25", "3.50"]);
}

/// The loader is available, the module is not: the buyer sees an error above the fallback, and the page gets an event
/// with the reason.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_module_the_fallback_is_shown() {
    let assets = tempfile::tempdir().unwrap();
    let loader = "checkout.js";
    std::fs::copy(dist().join("v1").join(loader), assets.path().join(loader)).unwrap();
    let directory = assets.path().to_owned();
    let servers =
        Servers::open_with(move |proxy| proxy.server.assets = Some(directory.clone())).await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    let error = browser.event("tender-error").await;
    assert_eq!(error.detail["code"], "load-failed");
    assert_eq!(error.detail["retryable"], true);
    let alert = "The checkout could not be loaded Check your connection, then try again.";
    assert_eq!(checkout.alert().await, alert);
    checkout.get(Role::Button, "Try again").await;
    assert!(checkout.shows_fallback().await);
}

/// The loader is not available.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_loader_the_fallback_is_shown() {
    let nothing = tempfile::tempdir().unwrap();
    let directory = nothing.path().to_owned();
    let servers =
        Servers::open_with(move |proxy| proxy.server.assets = Some(directory.clone())).await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    assert_eq!(checkout.text().await, "Pay without JavaScript");
}
