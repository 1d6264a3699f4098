//! Queries of requests.

use std::collections::BTreeSet;

use axum::extract::Query;
use axum::http::Uri;
use reqwest::Url;

use super::{fuzz, text};
use crate::http::routes::{Fields, asked};

#[test]
fn requested_payments_are_those_in_the_query() {
    let seeds = [
        "transactionId=0b54&transactionId=5f0c",
        "transactionId=%F0%9F%92%B8&page=1",
        "transactionId=a+b&transactionId=a%20b&transactionId",
    ];
    fuzz(&seeds, |input| {
        let Some(query) = text(input) else { return };
        let Ok(uri) = format!("/ledger?{query}").parse::<Uri>() else {
            return;
        };
        let Ok(Query(fields)) = Query::<Fields>::try_from_uri(&uri) else {
            return;
        };
        let url: Url = format!("http://a{uri}").parse().unwrap();
        let named = url
            .query_pairs()
            .filter(|(name, _)| name == "transactionId");
        let named: BTreeSet<_> = named.map(|(_, id)| id.into_owned()).collect();
        if let Ok(ids) = asked(fields) {
            assert_eq!(BTreeSet::from_iter(ids), named);
        } else {
            let is_unusable =
                |id: &String| id.is_empty() || id.len() > 256 || id.contains(char::is_control);
            assert!(named.len() > 100 || named.iter().any(is_unusable));
        }
    });
}
