//! Buying without scripts.

use serde_json::json;
use tender_sandbox::Endpoint;

use super::page::PayPage;

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_and_the_browser_follows_the_payment() {
    let page = PayPage::without_scripts("en").await;
    let claims = json!({ "returnUrl": "https://shop.example/orders/1042" });
    page.open(claims, "").await;
    page.pay_with("trx").await;
    let shown = page.amount().await;
    let payment = page.stage.servers.only_payment();
    assert_eq!(payment.payment_token, "TRX");
    // TRX has six decimals; the service's amount has eight.
    assert!(shown.parse::<tender_protocol::Amount>().is_ok(), "{shown}");
    page.has(2, ".qr path").await;
    let groups = payment.wallet.len().div_ceil(4);
    page.has(groups, "[part=wallet] span").await;

    page.reload().await;
    assert_eq!(page.amount().await, shown);
    assert_eq!(page.stage.servers.requests(Endpoint::Create).received, 1);

    // The browser loads the page again by itself.
    page.gets_paid().await;
    page.has(1, "a[href='https://shop.example/orders/1042']")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_changes_to_another_token() {
    let page = PayPage::without_scripts("en").await;
    page.pay("trx").await;
    page.follow("use-another").await;
    page.reads("back-to-payment").await;
    page.pay_with("btc").await;
    let amount = page.amount().await;
    let payments = page.stage.servers.payments();
    assert_eq!(payments.len(), 2);
    assert_eq!(payments[0].payment_token, "BTC");
    assert_eq!(payments[0].quantity_pay.to_string(), amount);
    assert_eq!(payments[1].status.text(), "Cancelled");
}

/// A form of another site brings no payment, wherever the buyer has a cookie.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_another_site_is_refused() {
    let page = PayPage::without_scripts("en").await;
    page.pay("trx").await;
    let address = page.current_address().await;
    let sites = [
        page.address(json!({}), ""),
        format!("{address}&view=choose"),
    ];
    for target in sites {
        // The host name differs, so the site does.
        let form = format!(
            "<form method=\"post\" action=\"{target}\"><input name=\"payment-token\" value=\"btc\">
             <button id=\"send\">Free</button></form>"
        );
        let path = page.stage.servers.merchant.put_up(&form);
        page.go(&format!(
            "{}{path}",
            page.stage.servers.merchant.other_origin()
        ))
        .await;
        page.click("#send").await;
        page.reads("unavailable-title").await;
    }
    assert_eq!(page.stage.servers.requests(Endpoint::Create).received, 1);
    assert_eq!(page.stage.servers.requests(Endpoint::Cancel).received, 0);
}
