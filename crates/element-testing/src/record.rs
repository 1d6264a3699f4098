//! Records as the service writes them, as text, so that no digit passes through a float.

use serde_json::Value;
use web_sys::window;

/// A token record with every documented field.
pub struct Token<'a> {
    pub code: &'a str,
    pub name: &'a str,
    pub symbol: &'a str,
    pub decimals: &'a str,
    pub network: &'a str,
    pub explorer: &'a str,
}

impl Token<'_> {
    pub fn json(&self) -> String {
        serde_json::json!({
            "uuid": "5a1e0f6c-0d1f-4c39-9c4c-6d2f7a0b1c2d",
            "name": self.name,
            "symbol": self.symbol,
            "token": self.code,
            "decimals": self.decimals.parse::<u8>().ok(),
            "logo": "",
            "network_uuid": "c0b1a290-3f5e-4d7c-8b6a-1e2d3c4b5a69",
            "network": {
                "name": self.network,
                "token": self.code,
                "currency": self.code,
                "explorer": self.explorer,
                "uuid": "c0b1a290-3f5e-4d7c-8b6a-1e2d3c4b5a69",
            },
            "meta": {},
        })
        .to_string()
    }
}

/// Code, name, symbol, decimals, network and explorer of each token in [`listing`], in order.
const LISTED: &str = "\
    eth | Ethereum | ETH | null | Ethereum | https://etherscan.io/tx/
    trx | TRON | TRX | null | TRON | https://tronscan.org/#/transaction/
    usdtt | Tether USD | USDT | 6 | TRON | https://tronscan.org/#/transaction/
    usdte | Tether USD | USDT | 6 | Ethereum | https://etherscan.io/tx/
    bnb | BNB | BNB | null | BNB Smart Chain | https://bscscan.com/tx/
    kxp | KXP | KXP | 18 | BNB Smart Chain | https://bscscan.com/tx/
    btc | Bitcoin | BTC | null | Bitcoin | https://mempool.space/tx/";

/// The tokens of [`listing`].
fn tokens() -> impl Iterator<Item = Token<'static>> {
    LISTED.lines().map(|line| {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [code, name, symbol, decimals, network, explorer] = fields[..] else {
            panic!("six fields: {line}");
        };
        Token {
            code,
            name,
            symbol,
            decimals,
            network,
            explorer,
        }
    })
}

/// One of the tokens of [`listing`].
pub fn token(code: &str) -> Token<'static> {
    tokens().find(|token| token.code == code).unwrap()
}

/// A listing of these records.
pub fn list(tokens: &[String]) -> String {
    format!("[{}]", tokens.join(","))
}

/// Every token of the service, including one that the create endpoint does not accept.
pub fn listing() -> String {
    let tokens: Vec<_> = tokens().map(|token| token.json()).collect();
    list(&tokens)
}

/// The identifier of [`payment`].
pub const ID: &str = "7f8b0c9e-54a1-4a4b-9b7a-0c1d2e3f4a5b";
/// The wallet of [`payment`].
pub const WALLET: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// The create response: 12.50 USDT to be paid in Bitcoin, with an optional `receipt`.
pub fn payment(receipt: Option<&str>) -> String {
    record("1", "Created", receipt)
}

/// The record as the service responds to this request: with its price, its token, an address on the token's network, and
/// its invoice. A record that a test has changed in one of them stays as it is.
pub fn answering(record: &str, request: &Value) -> String {
    let code = request["paymentToken"].as_str().unwrap_or("btc");
    let token = Value::from(code.to_uppercase());
    let wallet = Value::from(wallet_of(code));
    let order = match &request["order"] {
        Value::String(order) => claims(order),
        _ => request.clone(),
    };
    let invoice = &order["invoiceNumber"];
    // The service may return the ticker.
    let price_token = order["token"].as_str().unwrap_or("usdtt");
    let price_token = Value::from(price_token.replace("usdtt", "usdt").to_uppercase());
    let mut quantities = [&request["quantity"], &order["quantity"]]
        .map(|quantity| quantity.to_string().replace('"', ""))
        .into_iter();
    let quantity = quantities.find(|quantity| quantity != "null" && quantity != "12.5");
    let quantity = quantity.unwrap_or("12.50".to_owned());
    record
        .replace(r#""token":"USDT""#, &format!(r#""token":{price_token}"#))
        .replace(r#""quantity":12.50"#, &format!(r#""quantity":{quantity}"#))
        .replace(
            r#""paymentToken":"BTC""#,
            &format!(r#""paymentToken":{token}"#),
        )
        .replace(
            &format!(r#""wallet":"{WALLET}""#),
            &format!(r#""wallet":{wallet}"#),
        )
        .replace(
            r#""invoiceNumber":"INV-7""#,
            &format!(r#""invoiceNumber":{invoice}"#),
        )
}

fn wallet_of(code: &str) -> &'static str {
    match code {
        "trx" | "usdtt" => "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
        "usdte" | "bnb" => "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        _ => WALLET,
    }
}

/// The claims of a signed order.
fn claims(order: &str) -> Value {
    let payload = order.split('.').nth(1).unwrap();
    let payload = payload.replace('-', "+").replace('_', "/");
    serde_json::from_str(&window().unwrap().atob(&payload).unwrap()).unwrap()
}

/// The payment with another status.
pub fn with_status(id: &str, text: &str) -> String {
    record(id, text, None)
}

/// The payment with another status, and what the proxy says about it.
pub fn with_state(status_text: &str, state: &str) -> String {
    let id = if status_text == "Created" { "1" } else { "7" };
    let payment = record(id, status_text, Some("receipt-7"));
    payment.replace(r#","receipt""#, &format!(r#","state":"{state}","receipt""#))
}

fn record(status_id: &str, status_text: &str, receipt: Option<&str>) -> String {
    let receipt = receipt.map_or(String::new(), |receipt| {
        format!(r#","receipt":"{receipt}""#)
    });
    format!(
        r#"{{"transactionId":"{ID}","token":"USDT","paymentToken":"BTC","quantity":12.50,
        "quantityPay":0.00012345,"priceUsd":12.5,"purchaseEmail":"ann@example.com",
        "purchaseName":null,"invoiceNumber":"INV-7","statusId":"{status_id}",
        "statusText":"{status_text}","wallet":"{WALLET}","createdAt":"2026/01/31"{receipt}}}"#
    )
}
