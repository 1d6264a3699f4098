//! One order on two devices: the second one, which runs no scripts, finds the payment as the first one and the service have
//! left it. The page of an order that has a payment shows no tokens, and offers to cancel the payment only if it is open and
//! no money may have been sent.

use crate::hosted::page::PayPage;
use crate::support::State;

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
