//! Malicious token listings.

use serde_json::{Value, json};
use tender_protocol::ACCEPTED;

use crate::support::{Role, Scenery, Stage};

const SCRIPT: &str = "<img src=x onerror=\"ran=1\"><script>ran=1</script>\"><svg onload=ran=1>";

/// A token record with a script in every text.
fn record(code: &str) -> Value {
    json!({
        "uuid": SCRIPT,
        "name": format!("{code} {SCRIPT}"),
        "symbol": SCRIPT,
        "token": code,
        "decimals": null,
        "logo": "javascript:ran=1",
        "network_uuid": SCRIPT,
        "network": {
            "name": SCRIPT,
            "token": SCRIPT,
            "currency": SCRIPT,
            "explorer": "javascript:ran=1//",
            "uuid": SCRIPT,
        },
        "meta": {},
    })
}

/// Two thousand such records, in which the accepted codes repeat. The page has no policy that would block a script.
#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_records_of_scripts_run_none_of_them() {
    let codes = ACCEPTED.iter().map(|(code, _)| code.as_str());
    let codes = codes.chain(["eth", SCRIPT, "__proto__"]).cycle().take(2000);
    let listing: Vec<_> = codes.map(record).collect();
    let stage = Stage::open("en").await;
    let listing = serde_json::to_vec(&listing).unwrap();
    stage.servers.service().replace_tokens(listing);
    let claims = json!({ "token": "btc", "quantity": "0.5", "invoiceNumber": SCRIPT });
    let checkout = stage.visit(Scenery::claiming(claims)).await;

    checkout.is_choosing().await;
    let names = checkout.names(Role::Radio).await;
    assert_eq!(names.len(), ACCEPTED.len(), "{names:?}");
    for (code, _) in ACCEPTED {
        let own = format!("{code} <img src=x");
        let count = names.iter().filter(|name| name.starts_with(&own)).count();
        assert_eq!(count, 1, "{code} in {names:?}");
    }
    let first = names.iter().find(|name| name.starts_with("btc")).unwrap();
    assert_eq!(checkout.pay(first).await, "0.5");
    assert_eq!(checkout.text_of("invoice").await, SCRIPT);

    // Addresses of explorers and logos are used only if they are https.
    assert!(checkout.parts("explorer").await.unwrap().is_empty());
    let wallet = stage.servers.only_payment().wallet;
    let uri = format!("bitcoin:{wallet}?amount=0.5");
    assert_eq!(checkout.attribute("open-wallet", "href").await, uri);
    let inside = "img, script, a:not([part=open-wallet]), iframe, [style], [onerror], [onload]";
    assert!(checkout.select(inside).await.unwrap().is_empty());
    let ran: bool = stage.browser.run("return 'ran' in window", []).await;
    assert!(!ran);
}
