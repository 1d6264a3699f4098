//! One order on two devices: the second one finds the payment as the first one and the service have left it, with and
//! without scripts. The page of an order that has a payment shows no tokens, and offers to cancel the payment only if it is
//! open and no money may have been sent.

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

/// Each step, the text that the second device then reads, and what the buyer may do there.
const STEPS: [(Step, &str, Offer); 11] = [
    (Step::Nothing, "send-exactly", Offer::Cancel),
    (Step::HashEntered, "marked-title", Offer::Nothing),
    (Step::WalletAsked, "marked-title", Offer::Nothing),
    (
        Step::Moves("Confirming"),
        "status-moved-title",
        Offer::Nothing,
    ),
    (Step::Moves(STATUS_PENDING), "pending", Offer::Nothing),
    (Step::Moves(STATUS_UNDERPAID), "underpaid", Offer::Nothing),
    (Step::Moves(STATUS_PAID), "paid", Offer::Nothing),
    (Step::Moves(STATUS_CLOSED), "closed", Offer::StartAgain),
    (Step::HashThenCloses, "closed", Offer::Nothing),
    (Step::Cancelled, "closed", Offer::StartAgain),
    (Step::CloseThenPaid, "paid", Offer::Nothing),
];

/// What a page offers beside what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offer {
    Nothing,
    Cancel,
    StartAgain,
}

const BNB: &str = "BNB, BNB Smart Chain";

const HASH: &str = "0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";
/// What would let the buyer choose or create another payment.
const CHOICES: &str = "input[type=radio], [part~=submit]";
const CANCEL: &str = "[part~=cancel]";

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

fn offered(cancels: usize, starts_again: bool) -> Offer {
    match (cancels, starts_again) {
        (0, false) => Offer::Nothing,
        (1.., false) => Offer::Cancel,
        (0, true) => Offer::StartAgain,
        (1.., true) => panic!("a payment is open or it has ended"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_device_finds_the_payment_as_it_is() {
    let stage = Stage::open("en").await;
    for (step, text, offer) in STEPS {
        stage.clear().await;
        let order = stage.order(json!({}));
        step.take(&stage, &order).await;
        let checkout = stage.on_another_device(&order).await;
        stage.reads(&checkout, text).await;
        assert_eq!(checkout.select(CHOICES).await.unwrap().len(), 0, "{step:?}");
        let cancels = checkout.select(CANCEL).await.unwrap().len();
        let starts = checkout.text().await.contains(stage.say("start-again"));
        assert_eq!(offered(cancels, starts), offer, "{step:?}");
        assert_eq!(stage.servers.payments().len(), 1, "{step:?}");
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
        let cancels = page.count(CANCEL).await;
        let starts = page.text().await.contains(page.stage.say("start-again"));
        assert_eq!(offered(cancels, starts), offer, "{step:?}");
        assert_eq!(page.stage.servers.payments().len(), 1, "{step:?}");
    }
}
