//! Responses of the service are lost: the buyer sees errors, retries, and ends up with one payment.

use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Browser, Servers};

const TOKEN: &str = "BNB, BNB Smart Chain";

/// A lost response, a second one, and another submit in between.
#[tokio::test(flavor = "multi_thread")]
async fn responses_that_are_lost_again_and_again_make_one_payment() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    for endpoint in [Endpoint::Create, Endpoint::List] {
        servers.inject(endpoint, Fault::new(Outcome::DropAnswer));
    }
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.alert().await;
    checkout.press("Try again").await;
    checkout.alert().await;
    // Going back and forth continues the same attempt.
    checkout.press("Back").await;
    checkout.pay(TOKEN).await;
    let payment = servers.only_payment();
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
}
