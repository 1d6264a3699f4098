//! Neighbouring versions: an element of an earlier release with this proxy, and this element with an earlier proxy.
//!
//! `versions/<release>.json` has the requests that the elements of that release send, and the answers that its proxy gave.
//! The file of a release is never edited: where a test fails, the contract is broken (docs/versions.md). The
//! file of a new release is written by `TENDER_RECORD=<path> cargo test -p tender-proxy --test http versions::record -- --ignored`,
//! from the requests of the release before.

use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};
use tender_protocol::{Payment, Problem, Record, Token};

use crate::prelude::*;

const RELEASES: [(&str, &str); 1] = [("0.1.0", include_str!("versions/0.1.0.json"))];

/// A request, and its answer. `{order}`, `{receipt}`, `{transactionId}` and `{merchantKey}` stand for values of the moment.
#[derive(Deserialize, Serialize)]
struct Exchange {
    kind: Kind,
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Value>,
    status: u16,
    answer: Value,
}

/// What the answer is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Listing,
    Payment,
    Payments,
    Problem,
}

fn exchanges((_, recorded): (&str, &str)) -> Vec<Exchange> {
    serde_json::from_str(recorded).unwrap()
}

/// Sends the requests to this proxy, and takes its answers.
async fn replay(exchanges: &[Exchange]) -> Vec<Answer> {
    let world = World::new().await;
    let mut values = BTreeMap::from([
        ("{order}", order(json!({}))),
        ("{merchantKey}", MERCHANT_KEY.to_owned()),
    ]);
    let mut answers = Vec::new();
    for exchange in exchanges {
        let fill = |text: &str| {
            values.iter().fold(text.to_owned(), |text, (name, value)| {
                text.replace(name, value)
            })
        };
        let method: Method = exchange.method.parse().unwrap();
        let mut request = world.request(method, &fill(&exchange.path));
        for (name, value) in &exchange.headers {
            request = request.header(name, fill(value));
        }
        if let Some(body) = &exchange.body {
            request = request.body(fill(&body.to_string()));
        }
        let answer = Answer::to(request).await;
        if exchange.kind == Kind::Payment && !values.contains_key("{receipt}") {
            values.insert("{receipt}", answer.receipt());
            values.insert("{transactionId}", answer.transaction_id());
        }
        answers.push(answer);
    }
    answers
}

/// What `old` has and `new` lacks: fields by name and type, in the first element of a list.
fn missing(at: &str, old: &Value, new: &Value) -> Vec<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let missing = old.iter().map(|(name, old)| {
                let at = format!("{at}.{name}");
                new.get(name)
                    .map_or_else(|| vec![at.clone()], |new| missing(&at, old, new))
            });
            missing.flatten().collect()
        }
        (Value::Array(old), Value::Array(new)) => match (old.first(), new.first()) {
            (Some(old), Some(new)) => missing(&format!("{at}[]"), old, new),
            (Some(_), None) => vec![format!("{at}[]")],
            (None, _) => Vec::new(),
        },
        // A field that was unknown at that time has no type.
        (Value::Null, _) => Vec::new(),
        _ if std::mem::discriminant(old) == std::mem::discriminant(new) => Vec::new(),
        _ => vec![format!("{at}: {new} in place of {old}")],
    }
}

#[tokio::test]
async fn elements_of_earlier_releases_are_answered() {
    for release in RELEASES {
        let exchanges = exchanges(release);
        let answers = replay(&exchanges).await;
        for (exchange, answer) in exchanges.iter().zip(&answers) {
            let at = format!("{}: {} {}", release.0, exchange.method, exchange.path);
            assert_eq!(
                answer.status.as_u16(),
                exchange.status,
                "{at}: {}",
                answer.body
            );
            let new: Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!(missing(&at, &exchange.answer, &new), Vec::<String>::new());
            if exchange.kind == Kind::Problem {
                assert_eq!(new["code"], exchange.answer["code"], "{at}");
            }
        }
    }
}

#[test]
fn answers_of_earlier_releases_can_be_read() {
    for release in RELEASES {
        for exchange in exchanges(release) {
            let json = exchange.answer.to_string();
            let payment =
                |json: &str| Payment::try_from(&Record::parse(json, "a payment").unwrap()).unwrap();
            match exchange.kind {
                Kind::Listing => {
                    let tokens = Token::accepted(&json).unwrap();
                    let accepted = Token::accepted_json(&json).unwrap();
                    let accepted: Vec<Value> = serde_json::from_str(&accepted).unwrap();
                    assert_eq!(tokens.len(), accepted.len(), "{json}");
                    assert!(accepted.len() > 4, "{json}");
                }
                Kind::Payment => assert!(!payment(&json).wallet.is_empty(), "{json}"),
                Kind::Payments => {
                    let first = payment(&exchange.answer[0].to_string());
                    assert_eq!(
                        Some(first.transaction_id.as_str()),
                        exchange.answer[0]["transactionId"].as_str()
                    );
                }
                Kind::Problem => {
                    let problem: Problem = serde_json::from_str(&json).unwrap();
                    assert_eq!(problem.status, exchange.status);
                }
            }
        }
    }
}

#[tokio::test]
#[ignore = "writes a file"]
async fn record() {
    let path = std::env::var("TENDER_RECORD").expect("TENDER_RECORD is the path of the file");
    let [.., latest] = RELEASES;
    let mut exchanges = exchanges(latest);
    let answers = replay(&exchanges).await;
    for (exchange, answer) in exchanges.iter_mut().zip(answers) {
        exchange.status = answer.status.as_u16();
        exchange.answer = serde_json::from_str(&answer.body).unwrap();
    }
    fs::write(
        path,
        serde_json::to_string_pretty(&exchanges).unwrap() + "\n",
    )
    .unwrap();
}
