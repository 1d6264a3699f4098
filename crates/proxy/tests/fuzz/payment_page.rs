//! Addresses, cookies and languages of the payment page.

use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use reqwest::Url;

use super::{fuzz, text};
use crate::http::routes::{OrderCookie, Place, language};

fn place(uri: &str) -> Option<Place> {
    Place::read(&uri.parse::<Uri>().ok()?, &HeaderMap::new()).ok()
}

#[test]
fn an_address_that_the_page_writes_leads_to_the_same_order() {
    let seeds = [
        "order=e30.e30.c2ln&lang=de-CH&accept=usdtt+btc",
        "order=e30&view=cancel&ask=email!+name",
        "order=%22%3E%3Cb%3E&lang=%22&theme=%3Cscript%3E&view=choose",
    ];
    fuzz(&seeds, |input| {
        let Some(query) = text(input) else { return };
        let uri = format!("/pay?{query}");
        let Some(read) = place(&uri) else { return };
        let asked: Url = format!("http://a{uri}").parse().unwrap();
        assert!(
            asked
                .query_pairs()
                .any(|(key, text)| key == "order" && text == read.order)
        );
        let address = read.address();
        // It is relative to the address of the proxy.
        let again = place(&format!("/{address}")).unwrap();
        assert_eq!(again.order, read.order);
        assert_eq!(
            (&again.attributes, &again.locale),
            (&read.attributes, &read.locale)
        );
        assert!(!address.contains(['"', '<', '>', ' ', '\'']), "{address}");
    });
}

#[test]
fn a_cookie_is_set_as_it_was_read() {
    let seeds = [
        "__Host-tender-2a4d58777251b8ae=0b8b1c0e3f3c4a86~~",
        "a=b; __Host-tender-55db4c920deaccbe=0b~0xab~c2ln; __Host-tender-2a4d58777251b8ae=0a~~s; c",
    ];
    fuzz(&seeds, |input| {
        let Ok(sent) = HeaderValue::from_bytes(input) else {
            return;
        };
        let headers = HeaderMap::from_iter([(COOKIE, sent)]);
        for number in ["INV-1", "INV-2"] {
            let Some(cookie) = OrderCookie::read(&headers, number) else {
                continue;
            };
            let responded = cookie.cookies(&headers, number);
            let (pair, attributes) = responded[0].to_str().unwrap().split_once("; ").unwrap();
            assert_eq!(attributes, "Path=/; Secure; HttpOnly; SameSite=Strict");
            let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(pair).unwrap())]);
            assert_eq!(OrderCookie::read(&headers, number), Some(cookie));
        }
    });
}

#[test]
fn a_language_is_a_tag() {
    let seeds = [
        "xx, de;q=0.5, fr-CA;q=0.75, *;q=0.9",
        "de-<b>",
        "zh-Hant-TW;q=1.000",
    ];
    fuzz(&seeds, |input| {
        let Ok(accepted) = HeaderValue::from_bytes(input) else {
            return;
        };
        let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, accepted)]);
        let chosen = language(text(input), &headers);
        let is_tag = chosen
            .split('-')
            .all(|part| part.chars().all(|c| c.is_ascii_alphanumeric()));
        assert!(is_tag && chosen.len() <= 35, "{chosen}");
    });
}
