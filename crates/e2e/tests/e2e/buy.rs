//! A buyer opens the shop's page, chooses a token, and sees the exact amount and where to send it.

use crate::support::{Browser, Role, Servers};

const INVOICE: &str = "INV-1042";

/// A token for the shop's price of 48.50 USDT, and what the page shows for it.
pub(crate) struct Expected {
    /// Name and network, as in the token choice.
    token: &'static str,
    code: &'static str,
    /// The amount from the service.
    asked: &'static str,
    /// The amount to send, which is higher only if the token has fewer decimals.
    send: &'static str,
    /// The amount to send as buyers read it, with two fractional digits at least.
    shown: &'static str,
    network: &'static str,
    explorer: &'static str,
}

/// `wallets` pays the exact amounts of the other two.
pub(crate) const TOKENS: [Expected; 4] = [
    Expected {
        token: "Bitcoin, Bitcoin",
        code: "btc",
        asked: "0.00075487",
        send: "0.00075487",
        shown: "0.00075487 BTC",
        network: "Bitcoin",
        explorer: "https://mempool.space/",
    },
    Expected {
        token: "Tether USD, TRON",
        code: "usdtt",
        asked: "48.5",
        send: "48.5",
        shown: "48.50 USDT",
        network: "TRON (TRC20)",
        explorer: "https://tronscan.org/",
    },
    // TRX has 6 decimals; the service's amount has 8.
    Expected {
        token: "TRON, TRON",
        code: "trx",
        asked: "156.45161291",
        send: "156.451613",
        shown: "156.451613 TRX",
        network: "TRON",
        explorer: "https://tronscan.org/",
    },
    // KXP's decimals are unknown, so nothing is rounded.
    Expected {
        token: "KXP, KXP",
        code: "kxp",
        asked: "1141.17647059",
        send: "1141.17647059",
        shown: "1141.17647059 KXP",
        network: "KXP",
        explorer: "https://explorer.invalid/",
    },
];

/// A buyer pays with this token in the sample shop.
pub(crate) async fn buys(browser: &Browser, expected: &Expected) {
    let servers = Servers::open().await;
    let page = servers.shop_page(&format!("/?invoice={INVOICE}"));
    let checkout = browser.visit(&page).await;
    checkout.pay_with(expected.token).await;

    // The amount has all its digits.
    let send = checkout.amount().await;
    assert_eq!(send, expected.send);
    let payment = servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), expected.asked);
    let shown = checkout.text_of("amount").await.replace(',', "");
    assert_eq!(shown, expected.shown);
    if send == expected.asked {
        assert!(checkout.parts("rounding").await.unwrap().is_empty());
    } else {
        let rounding = checkout.text_of("rounding").await;
        assert!(rounding.contains("Rounded up to 6"), "{rounding}");
    }

    // The wallet and the network.
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);
    let network = format!("on {}", expected.network);
    assert_eq!(checkout.text_of("network").await, network);
    let copy = format!("Copy wallet address {network}");
    checkout.get(Role::Button, &copy).await;
    let text = checkout.text().await;
    assert!(
        text.contains(&format!("To this wallet {network}")),
        "{text}"
    );
    assert_eq!(
        checkout.attribute("explorer", "href").await,
        expected.explorer
    );

    // The format of transactions on KXP's network is unknown, so the checkout doesn't ask for a hash.
    let asks_for_hash = !checkout.select(".hash").await.unwrap().is_empty();
    assert_eq!(asks_for_hash, expected.code != "kxp");

    // The details.
    checkout.open_details().await;
    assert_eq!(checkout.text_of("status").await, payment.status.text());
    assert_eq!(checkout.text_of("invoice").await, INVOICE);

    // The service received what the shop signed.
    assert_eq!(payment.invoice_number.as_deref(), Some(INVOICE));
    assert_eq!(payment.token, "USDTT");
    assert_eq!(payment.quantity, "48.50".parse().unwrap());
    assert_eq!(payment.payment_token, expected.code.to_uppercase());
}
