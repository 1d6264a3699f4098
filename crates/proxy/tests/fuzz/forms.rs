//! Rendered forms: whatever the query or the listing contains, the HTML has only the elements and attributes of the form.

use std::collections::{BTreeSet, HashMap};

use axum::body::Bytes;
use axum::extract::Query;
use axum::http::Uri;
use html5gum::{DefaultEmitter, Token, Tokenizer};

use super::{TOKEN, fuzz, text};
use crate::rendering::{Attributes, render};

/// The elements and their attributes.
type Shape = BTreeSet<String>;

/// The shape of a form, and the content of its script element, which is the last one.
fn read(html: &str) -> (Shape, String) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let tokens = Tokenizer::new_with_emitter(html, emitter);
    let mut shape = Shape::new();
    let mut script: Option<String> = None;
    for Ok(token) in tokens {
        match token {
            Token::StartTag(tag) => {
                assert_eq!(script, None, "an element in the script");
                let name = str::from_utf8(&tag.name).unwrap();
                for attribute in tag.attributes.keys() {
                    let attribute = str::from_utf8(attribute).unwrap();
                    shape.insert(format!("{name} {attribute}"));
                }
                script = (name == "script").then(String::new);
                shape.insert(name.to_owned());
            }
            Token::String(text) => {
                if let Some(script) = &mut script {
                    script.push_str(str::from_utf8(&text).unwrap());
                }
            }
            _ => {}
        }
    }
    (shape, script.unwrap())
}

fn rendered(query: &str, listing: &str) -> Option<String> {
    let uri = format!("/?{query}").parse::<Uri>().ok()?;
    let Query(values) = Query::<HashMap<String, String>>::try_from_uri(&uri).ok()?;
    let listing = Bytes::from(listing.to_owned());
    let form = render(&Attributes::from(values), None, &listing).ok()?;
    Some(String::from_utf8(form.plain().to_vec()).unwrap())
}

const PRICED: &str =
    "token=usdtt&quantity=25.00&payment-token=usdtt&accept=usdtt&ask=email!+name&locale=de-CH";

/// The elements and attributes of forms.
fn allowed() -> Shape {
    let with_amount = format!("{PRICED}&item-number=0");
    let shape = |query| read(&rendered(query, TOKEN).unwrap()).0;
    &shape(PRICED) | &shape(&with_amount)
}

/// Renders the form, and checks its elements, attributes and listing.
fn check(allowed: &Shape, query: &str, listing: &str) {
    if let Some(html) = rendered(query, listing) {
        let (shape, embedded) = read(&html);
        let unknown: Vec<_> = shape.difference(allowed).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let escaped = tender_protocol::Token::accepted_json(listing)
            .unwrap()
            .replace('<', "\\u003c");
        // HTML knows one kind of line break (WHATWG, "Preprocessing the input stream").
        assert_eq!(embedded, escaped.replace("\r\n", "\n").replace('\r', "\n"));
    }
}

#[test]
fn a_query_adds_no_element() {
    let allowed = allowed();
    let seeds = [
        PRICED,
        "token=btc&item-number=0",
        "token=%3Cscript%3E&quantity=%22&locale=%3E",
    ];
    fuzz(&seeds, |input| {
        if let Some(query) = text(input) {
            check(&allowed, query, TOKEN);
        }
    });
}

#[test]
fn a_listing_adds_no_element() {
    let allowed = allowed();
    let hostile = TOKEN.replace("Tether USD", "</script><script>\\\"'<!--&lt;");
    let spaced = TOKEN.replace("}]", "} ]");
    fuzz(&[TOKEN, &hostile, &spaced], |input| {
        if let Some(listing) = text(input) {
            check(&allowed, PRICED, listing);
        }
    });
}
