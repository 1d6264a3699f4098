//! Tests of endpoint 1, "List enabled tokens".

use std::collections::{HashMap, HashSet};

use reqwest::{StatusCode, Url};
use serde_json::{Value, json};
use tender_protocol::{ACCEPTED, Token, TokenCode, path};
use uuid::Uuid;

use crate::support::Caller;

async fn records(caller: &Caller) -> Vec<Value> {
    let answer = caller.get_rates(path::TOKENS).await;
    assert_eq!(answer.status, StatusCode::OK);
    answer.json().as_array().unwrap().clone()
}

// "{rates_base_url} is the base address of the token-listing endpoint (it is a different host from
// {base_url})."
#[tokio::test]
async fn the_token_listing_is_only_on_the_rates_address() {
    let caller = Caller::new().await;
    assert_ne!(caller.base_url(), caller.rates_base_url());
    assert_eq!(caller.get_rates(path::TOKENS).await.status, StatusCode::OK);
    let elsewhere = caller.get(path::TOKENS).await;
    elsewhere.assert_refused(404, "not_found", None);
    let payments = caller.get_rates(path::LIST).await;
    payments.assert_refused(404, "not_found", None);
}

// "Purpose: returns the tokens enabled in the calling project's Payment Methods."
// "Request: no parameters and no body."
// "Response: a JSON array of token records (see Resources)." The sentences about one record.
#[tokio::test]
async fn each_record_is_as_documented() {
    let caller = Caller::new().await;
    let answer = caller.get_rates(path::TOKENS).await;
    assert_eq!(answer.content_type, "application/json");
    let mut networks = HashMap::new();
    for record in records(&caller).await {
        // "Each element has the fields uuid, name, symbol, token, decimals, logo, network_uuid,
        // network, meta."
        let fields: HashSet<_> = record.as_object().unwrap().keys().collect();
        assert_eq!(fields.len(), 9, "{record}");
        assert!(record.get("decimals").is_some(), "{record}");
        for text in ["uuid", "name", "symbol", "token", "logo", "network_uuid"] {
            assert!(
                !record[text].as_str().unwrap().is_empty(),
                "{text}: {record}"
            );
        }
        // "An empty object for every token returned"
        assert_eq!(record["meta"], json!({}), "{record}");

        // "Network record (field `network` of a token record)": name, token, currency, explorer, uuid.
        let network = &record["network"];
        assert_eq!(network.as_object().unwrap().len(), 5, "{record}");
        for field in ["name", "token", "currency", "explorer", "uuid"] {
            assert!(
                !network[field].as_str().unwrap().is_empty(),
                "{field}: {record}"
            );
        }
        // "network_uuid | string (UUID) | Equals `network.uuid`"
        assert_eq!(record["network_uuid"], network["uuid"], "{record}");
        Uuid::parse_str(record["network_uuid"].as_str().unwrap()).unwrap();
        // All tokens of a network have the same network record.
        let known = networks
            .entry(network["uuid"].to_string())
            .or_insert_with(|| network.clone());
        assert_eq!(known, network);

        // "Null for native coins of a network; an integer for contract tokens"
        let native = record["symbol"] == network["currency"];
        assert_eq!(record["decimals"].is_null(), native, "{record}");
        assert_eq!(record["decimals"].is_u64(), !native, "{record}");

        // "Prefix to which a transaction hash is appended to get a block-explorer address"
        let prefix = network["explorer"].as_str().unwrap();
        let address = Url::parse(&format!("{prefix}{}", "ab".repeat(32))).unwrap();
        assert_eq!(address.scheme(), "https", "{record}");
        assert!(prefix.ends_with('/'), "{record}");

        // "Token code, the value used in `token` / `paymentToken` of payment requests"
        let code = record["token"].as_str().unwrap();
        if TokenCode::from(code).is_accepted() {
            let codes = json!({ "token": code, "paymentToken": code });
            caller.create(codes).await;
        }
    }
    let tokens: Vec<Token> = serde_json::from_str(&answer.body).unwrap();
    let listed: HashSet<_> = tokens.into_iter().map(|it| it.token).collect();
    for token in ACCEPTED {
        let code = &token.code;
        assert!(listed.contains(code), "{code}");
    }
    // "The set of token codes returned can include codes that are not in the accepted list of the
    // create endpoint (for example a native Ethereum coin code)."
    for code in ["eth", "usdc", "usdtb"].map(TokenCode::from) {
        assert!(listed.contains(&code) && !code.is_accepted(), "{code}");
    }
}

// "uuid | string (UUID) | Token identifier"
#[tokio::test]
async fn the_uuid_identifies_the_token() {
    let (one, other) = (Caller::new().await, Caller::new().await);
    let records = records(&one).await;
    let uuids: HashSet<_> = records
        .iter()
        .map(|record| Uuid::parse_str(record["uuid"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(uuids.len(), records.len());
    // "Ticker symbol; several tokens may share one symbol (e.g. the same coin on two networks)"
    let networks = records.iter().filter(|record| record["symbol"] == "USDT");
    let networks: HashSet<_> = networks
        .map(|record| record["network_uuid"].as_str())
        .collect();
    assert!(networks.len() >= 2, "{networks:?}");
    // The same token has the same identifier in every run.
    let again = self::records(&other).await;
    for (record, again) in records.iter().zip(&again) {
        assert_eq!(record["uuid"], again["uuid"]);
    }
}

// "logo | string (URL) | Image address"
#[tokio::test]
async fn the_logo_is_an_image_address() {
    let caller = Caller::new().await;
    for record in records(&caller).await {
        let logo = record["logo"].as_str().unwrap();
        let path = logo.strip_prefix(caller.rates_base_url()).unwrap();
        let image = caller.get_rates(path).await;
        assert_eq!(image.status, StatusCode::OK);
        assert_eq!(image.content_type, "image/svg+xml");
        assert!(image.body.starts_with("<svg "), "{}", image.body);
    }
    let unknown = caller.get_rates("/logos/none.svg").await;
    unknown.assert_refused(404, "not_found", None);
}
