//! Endpoint 1, "List enabled tokens".

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tender_protocol::{Network, Token};

use super::Service;
use crate::catalogue::{CATALOGUE, Listed};
use crate::logo;

/// A token record with all documented fields.
#[derive(Serialize)]
struct TokenRecord {
    #[serde(flatten)]
    token: Token,
    /// "Equals `network.uuid`".
    network_uuid: String,
    meta: Meta,
}

/// "An empty object for every token returned".
#[derive(Serialize)]
struct Meta {}

pub(super) async fn tokens(State(service): State<Arc<Service>>) -> Response {
    let replaced = service.state().listing.clone();
    if let Some(listing) = replaced {
        return ([(header::CONTENT_TYPE, "application/json")], listing).into_response();
    }
    let records: Vec<TokenRecord> = CATALOGUE
        .iter()
        .map(|listed| record(listed, &service.rates_base_url))
        .collect();
    Json(records).into_response()
}

fn record(listed: &Listed, rates_base_url: &str) -> TokenRecord {
    let network_uuid = listed.network.uuid().to_string();
    TokenRecord {
        token: Token {
            uuid: listed.uuid().to_string(),
            name: listed.name.to_owned(),
            symbol: listed.symbol.to_owned(),
            token: listed.code.into(),
            decimals: listed.decimals,
            logo: Some(format!("{rates_base_url}{}", logo::path(listed))),
            network: Network {
                name: listed.network.name.to_owned(),
                token: Some(listed.network.code.to_owned()),
                currency: Some(listed.network.currency.to_owned()),
                explorer: Some(listed.network.explorer.to_owned()),
                uuid: Some(network_uuid.clone()),
            },
            // The service has no such field.
            test_mode: false,
        },
        network_uuid,
        meta: Meta {},
    }
}
