//! Addresses, cookies and languages of the payment page.

use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use reqwest::Url;

use super::{fuzz, text};
use crate::http::routes::{Place, Session, Target, language};

fn place(uri: &str) -> Option<Place> {
    Place::read(&uri.parse::<Uri>().ok()?, &HeaderMap::new()).ok()
}

/// The name of the target in a query, and its value.
fn target(place: &Place) -> (&str, &str) {
    match &place.target {
        Target::Order(order) => ("order", order),
        Target::Payment(name) => ("payment", name),
    }
}

#[test]
fn an_address_that_the_page_writes_leads_to_the_same_order() {
    let seeds = [
        "order=e30.e30.c2ln&lang=de-CH&accept=usdtt+btc",
        "payment=0b8b1c0e3f3c4a86&view=cancel&ask=email!+name",
        "order=%22%3E%3Cb%3E&lang=%22&theme=%3Cscript%3E&view=choose",
    ];
    fuzz(&seeds, |input| {
        let Some(query) = text(input) else { return };
        let uri = format!("/pay?{query}");
        let Some(read) = place(&uri) else { return };
        let (name, value) = target(&read);
        let asked: Url = format!("http://a{uri}").parse().unwrap();
        assert!(
            asked
                .query_pairs()
                .any(|(key, text)| key == name && text == value)
        );
        let address = read.address();
        let again = place(&address).unwrap();
        assert_eq!(target(&again), (name, value));
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
        "__Host-tender-0b8b1c0e3f3c4a86=e30.e30.c2ln~~e30.e30.c2ln",
        "a=b; __Host-tender-0b=r~0xab~o; __Host-tender-0a=r~~o; c",
    ];
    fuzz(&seeds, |input| {
        let Ok(sent) = HeaderValue::from_bytes(input) else {
            return;
        };
        let headers = HeaderMap::from_iter([(COOKIE, sent)]);
        for name in ["0b8b1c0e3f3c4a86", "0b", "0a"] {
            let Some(session) = Session::read(&headers, name) else {
                continue;
            };
            let responded = session.cookies(&headers, name);
            let (pair, attributes) = responded[0].to_str().unwrap().split_once("; ").unwrap();
            assert_eq!(attributes, "Path=/; Secure; HttpOnly; SameSite=Strict");
            let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(pair).unwrap())]);
            let again = Session::read(&headers, name).unwrap();
            assert_eq!(
                (again.receipt, again.hash, again.order),
                (session.receipt, session.hash, session.order)
            );
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
