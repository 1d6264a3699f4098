//! One order on two devices: the second one, which runs no scripts, finds the payment as the first one and the service have
//! left it. The page of an order that has a payment shows no tokens, and offers to cancel the payment only if it is open and
//! no money may have been sent.

use serde_json::json;

use crate::hosted::page::PayPage;
use crate::support::{
    STATUS_CLOSED, STATUS_PAID, STATUS_PENDING, STATUS_UNDERPAID, Scenery, Stage,
};

/// What happens to the payment of the first device.
#[derive(Clone, Copy, Debug)]
enum Step {
    Nothing,
    HashEntered,
    WalletAsked,
    Moves(&'static str),
    HashThenCloses,
    Cancelled,
    CloseThenPaid,
}

/// Each step, the text that the second device then reads, and what the page offers there.
const STEPS: [(Step, &str, Option<&str>); 11] = [
    (Step::Nothing, "send-exactly", Some("cancel")),
    (Step::HashEntered, "marked-title", None),
    (Step::WalletAsked, "marked-title", None),
    (Step::Moves("Confirming"), "status-moved-title", None),
    (Step::Moves(STATUS_PENDING), "pending", None),
    (Step::Moves(STATUS_UNDERPAID), "underpaid", None),
    (Step::Moves(STATUS_PAID), "paid", None),
    (Step::Moves(STATUS_CLOSED), "closed", Some("start-again")),
    (Step::HashThenCloses, "closed", None),
    (Step::Cancelled, "closed", Some("start-again")),
    (Step::CloseThenPaid, "paid", None),
];

const BNB: &str = "BNB, BNB Smart Chain";

const HASH: &str = "0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";
/// What would let the buyer choose or create another payment.
const CHOICES: &str = "input[type=radio], [part~=submit]";
/// Texts of what may be offered.
const OFFERS: [&str; 2] = ["cancel", "start-again"];

impl Step {
    /// Brings the payment of an order here, on the first device.
    async fn take(self, stage: &Stage, order: &str) {
        let checkout = stage.submit_order(order, BNB, Scenery::default()).await;
        checkout.part("amount").await;
        match self {
            Self::Nothing => {}
            Self::HashEntered | Self::HashThenCloses => {
                checkout.paste_hash(HASH).await;
                stage.reads(&checkout, "you-sent-title").await;
                if matches!(self, Self::HashThenCloses) {
                    stage.moves(&checkout, STATUS_CLOSED, "closed").await;
                }
            }
            Self::WalletAsked => {
                stage.adds_wallet("0x38").await;
                stage.browser.execute("wallet.thinks = true").await;
                checkout.press_part("pay-with").await;
                stage.reads(&checkout, "wallet-asked").await;
            }
            Self::Moves(status) => stage.servers.set_status(status),
            Self::Cancelled => {
                stage.press(&checkout, "cancel").await;
                stage.press(&checkout, "cancel-yes").await;
                stage.reads(&checkout, "cancelled").await;
            }
            Self::CloseThenPaid => {
                stage.moves(&checkout, STATUS_CLOSED, "closed").await;
                stage.moves(&checkout, STATUS_PAID, "paid").await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_without_scripts_finds_the_payment_as_it_is() {
    let page = PayPage::without_scripts("en").await;
    for (step, text, offer) in STEPS {
        page.stage.clear().await;
        page.scripts(true).await;
        let order = page.stage.order(json!({}));
        step.take(&page.stage, &order).await;
        page.stage.change_device().await;
        page.scripts(false).await;
        page.go(&page.address_of(&order, "")).await;
        page.reads(text).await;
        assert_eq!(page.count(CHOICES).await, 0, "{step:?}");
        let shown = page.text().await;
        let offers = OFFERS
            .into_iter()
            .filter(|key| shown.contains(page.stage.say(key)));
        assert!(offers.eq(offer), "{step:?}: {shown}");
        assert_eq!(page.stage.servers.payments().len(), 1, "{step:?}");
    }
}
