//! One order on two devices: the second one, which runs no scripts, finds the payment as the first one and the service have
//! left it. The page of an order that has a payment shows no tokens, and offers to cancel the payment only if it is open and
//! no money may have been sent.

use serde_json::json;

use crate::hosted::page::PayPage;
use crate::support::{Scenery, Stage, State};

/// Each state of the payment on the first device, the text that the second device then reads, and what the page offers there.
const STATES: [(&str, &str, Option<&str>); 11] = [
    ("awaiting bitcoin", "send-exactly", Some("cancel")),
    ("sent", "marked-title", None),
    ("wallet asked", "marked-title", None),
    ("status moved", "status-moved-title", None),
    ("pending", "pending", None),
    ("underpaid", "underpaid", None),
    ("paid", "paid", None),
    ("closed", "closed", Some("start-again")),
    ("closed, but sent", "closed", None),
    ("cancelled", "closed", Some("start-again")),
    ("paid late", "paid", None),
];

/// What would let the buyer choose or create another payment.
const CHOICES: &str = "input[type=radio], [part~=submit]";
/// Texts of what may be offered.
const OFFERS: [&str; 2] = ["cancel", "start-again"];

#[tokio::test(flavor = "multi_thread")]
async fn the_page_without_scripts_finds_the_payment_as_it_is() {
    let page = PayPage::without_scripts("en").await;
    for (state, text, offer) in STATES {
        page.browser.scripts(true).await;
        let order = State::named(state).reach(&page).await.order().await;
        page.change_device().await;
        page.browser.scripts(false).await;
        page.browser.go(page.address_of(&order, "")).await;
        page.reads(text).await;
        assert_eq!(page.count(CHOICES).await, 0, "{state}");
        let shown = page.text().await;
        let offers = OFFERS
            .into_iter()
            .filter(|key| shown.contains(page.say(key)));
        assert!(offers.eq(offer), "{state}: {shown}");
        page.servers.only_payment();
    }
}

/// Both pages are open, and neither is loaded again.
#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_stops_asking_once_the_buyer_has_sent_from_another_tab() {
    let stage = Stage::open("en").await;
    let order = stage.order(json!({}));
    let first = stage.visit_order(&order, Scenery::default()).await;
    first.pay("Bitcoin, Bitcoin").await;
    let in_second_tab = async {
        let second = stage.visit_order(&order, Scenery::default()).await;
        second.reads(stage.say("send-exactly")).await;
        second.paste_hash(&"5e".repeat(32)).await;
        second.reads(stage.say("you-sent-title")).await;
        let is_marked =
            "return performance.getEntriesByType('resource').some(({ name, responseStatus }) =>
            name.includes('/sent/') && responseStatus === 200)";
        stage.browser.sees("the mark", is_marked, []).await;
    };
    stage.browser.in_tab(Box::pin(in_second_tab)).await;
    first.reads(stage.say("marked-title")).await;
    assert!(!first.text().await.contains(stage.say("send-exactly")));
    stage.servers.only_payment();
}
