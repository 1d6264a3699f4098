//! Repeated and impatient submits create only one payment.

use tender_sandbox::{Endpoint, Fault, Outcome};
use thirtyfour::Key;

use crate::support::{Browser, Servers};

const TOKEN: &str = "Bitcoin, Bitcoin";

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.choose(TOKEN).await;
    let submit = checkout.submit().await;
    let twice = browser
        .driver()
        .action_chain()
        .double_click_element(&submit);
    twice.perform().await.unwrap();
    checkout.amount().await;
    servers.only_payment();
    assert_eq!(servers.requests(Endpoint::Create).received, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_clicks_while_the_payment_is_under_way() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let slow = Fault::new(Outcome::Handle)
        .on(Endpoint::Create)
        .delay_ms(1000);
    servers.service().inject(slow);
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.choose(TOKEN).await;
    let submit = checkout.submit().await;
    submit.click().await.unwrap();
    submit.click().await.unwrap();
    submit.send_keys(Key::Enter + "").await.unwrap();
    checkout.amount().await;
    servers.only_payment();
    assert_eq!(servers.requests(Endpoint::Create).received, 1);
}

/// A lost response, a second one, and repeated clicks in between.
#[tokio::test(flavor = "multi_thread")]
async fn answers_are_lost_again_and_again() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    for endpoint in [Endpoint::Create, Endpoint::List] {
        let lost = Fault::new(Outcome::DropAnswer).on(endpoint).once();
        servers.service().inject(lost);
    }
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.pay_with(TOKEN).await;
    checkout.alert().await;
    checkout.press("Try again").await;
    checkout.alert().await;
    // Going back and forth continues the same attempt.
    checkout.press("Back").await;
    checkout.pay_with(TOKEN).await;
    checkout.amount().await;
    assert_eq!(
        checkout.text_of("wallet").await,
        servers.only_payment().wallet
    );
}
