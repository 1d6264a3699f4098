//! Test support: records requests with their responses.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, StatusCode};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::answer::Answer;
use crate::contract::{self, DOCUMENT};
use crate::followed::Followed;
use crate::listener::Listener;

/// Longer bodies, and those that a test streams, are left out.
const LONGEST_BODY: usize = 8192;

/// Names of texts that are different in each run.
const VARYING: [&str; 6] = [
    "transactionId",
    "receipt",
    "wallet",
    "secret",
    "id",
    "order",
];

#[derive(Default)]
pub(crate) struct Tape {
    cases: Vec<Case>,
    /// Texts that are different in each run, and what is written instead.
    varying: Vec<(String, String)>,
}

#[derive(Serialize)]
struct File<'a> {
    description: &'static str,
    cases: &'a [Case],
}

#[derive(Serialize)]
struct Case {
    name: String,
    request: Message,
    response: Message,
}

#[derive(Default, Serialize)]
struct Message {
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    headers: BTreeMap<String, String>,
    /// As it was sent, if it is JSON; otherwise as a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Box<RawValue>>,
}

impl Tape {
    /// Sends a request. The name of the case is the route's `operationId`, or the code of the problem.
    pub(crate) async fn record(&mut self, request: RequestBuilder) -> Answer {
        let (operation, sent, request) = begin(request);
        let answer = Answer::to(request).await;
        let name = match answer.status.as_u16() {
            400.. => answer.problem().code.as_str(),
            _ => operation.unwrap(),
        };
        let mut response = received(answer.status, &answer.headers);
        let mut body = answer.body.clone();
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            let seconds = response.headers.get_mut("retry-after").unwrap();
            body = body.replace(&format!(" {seconds} s"), " <seconds> s");
            "<seconds>".clone_into(seconds);
        }
        // Pages and the widget's files change more often than the routes.
        let media_type = answer.header("content-type").split(';').next();
        let is_kept = name != "readDocument"
            && media_type.is_some_and(|kind| kind.ends_with("json") || kind == "text/plain");
        self.push(name, sent, response, is_kept.then_some(&*body));
        answer
    }

    /// Sends requests, one after the other.
    pub(crate) async fn record_all(&mut self, requests: impl IntoIterator<Item = RequestBuilder>) {
        for request in requests {
            self.record(request).await;
        }
    }

    /// Creates a payment without recording that.
    pub(crate) async fn prepare(&mut self, request: RequestBuilder) -> Followed {
        let created = Answer::to(request).await;
        self.note("", &serde_json::from_str(&created.body).unwrap());
        Followed::from(&created)
    }

    /// Writes another text in place of this one.
    pub(crate) fn replace(&mut self, varying: &str, written: &str) {
        self.varying.push((varying.to_owned(), written.to_owned()));
    }

    /// Opens a stream until it has recorded the next events after `change`.
    pub(crate) async fn record_stream(
        &mut self,
        request: RequestBuilder,
        events: usize,
        change: impl Future,
    ) {
        let (name, sent, request) = begin(request);
        let mut listener = Listener::to(request).await;
        change.await;
        let mut text = String::new();
        let mut recorded = 0;
        while recorded < events {
            let event = listener.next_any().await;
            // When it comes depends on the load.
            if event.event == "ledger" {
                continue;
            }
            recorded += 1;
            self.note(
                "data",
                &serde_json::from_str(&event.data).unwrap_or_default(),
            );
            let id = event.id.map(|id| id.to_string()).unwrap_or_default();
            for (field, value) in [("event", event.event), ("id", id), ("data", event.data)] {
                if !value.is_empty() {
                    writeln!(text, "{field}: {value}").unwrap();
                }
            }
            text.push('\n');
        }
        let response = received(listener.response.status(), listener.response.headers());
        self.push(name.unwrap(), sent, response, Some(&text));
    }

    fn push(&mut self, name: &str, request: Message, mut response: Message, body: Option<&str>) {
        response.body = body.and_then(raw);
        if let Some(json) = &response.body {
            self.note("", &serde_json::from_str(json.get()).unwrap());
        }
        self.cases.push(Case {
            name: name.to_owned(),
            request,
            response,
        });
    }

    /// Collects what is different in each run.
    fn note(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => fields
                .iter()
                .for_each(|(name, value)| self.note(name, value)),
            Value::Array(values) => values.iter().for_each(|value| self.note(name, value)),
            Value::String(text) if name == "detail" => {
                let words = text.split([' ', ';', ',']);
                let times =
                    words.filter(|word| word.trim_end_matches('.').parse::<Timestamp>().is_ok());
                let times =
                    times.map(|word| (word.trim_end_matches('.').to_owned(), "<time>".to_owned()));
                self.varying.extend(times);
            }
            Value::String(text) if self.varying.iter().all(|(known, _)| known != text) => {
                let written = if text.parse::<Timestamp>().is_ok() {
                    "<time>".to_owned()
                } else if name == "createdAt" {
                    "<date>".to_owned()
                } else if VARYING.contains(&name) {
                    let is_same =
                        |(_, other): &&(_, String)| other.starts_with(&format!("<{name} "));
                    let number = self.varying.iter().filter(is_same).count() + 1;
                    format!("<{name} {number}>")
                } else {
                    return;
                };
                self.varying.push((text.clone(), written));
            }
            _ => {}
        }
    }

    /// The names of the cases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().map(|case| &*case.name)
    }

    /// The file with this description.
    pub(crate) fn written(&self, description: &'static str) -> String {
        let cases = &self.cases;
        let mut text = serde_json::to_string_pretty(&File { description, cases }).unwrap();
        for (varying, written) in &self.varying {
            text = text.replace(varying, written);
        }
        text + "\n"
    }
}

/// The `operationId` of a request, what is recorded of it, and the request itself.
fn begin(request: RequestBuilder) -> (Option<&'static str>, Message, RequestBuilder) {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, url) = (request.method(), request.url());
    let query = url.query().map(|query| format!("?{query}"));
    let body = request.body().and_then(|body| body.as_bytes());
    let sent = Message {
        method: Some(method.to_string()),
        path: Some(url.path().to_owned() + &query.unwrap_or_default()),
        headers: kept(request.headers(), |_| true),
        body: body.and_then(|body| raw(str::from_utf8(body).unwrap())),
        ..Message::default()
    };
    let item = contract::template(url.path()).map(|template| &DOCUMENT["paths"][template]);
    let operation =
        item.and_then(|item| item[method.as_str().to_lowercase()]["operationId"].as_str());
    (operation, sent, RequestBuilder::from_parts(client, request))
}

fn received(status: StatusCode, headers: &HeaderMap) -> Message {
    let names = ["content-type", "location", "retry-after", "allow"];
    Message {
        status: Some(status.as_u16()),
        headers: kept(headers, |name| names.contains(&name)),
        ..Message::default()
    }
}

fn kept(headers: &HeaderMap, is_kept: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let kept = headers.iter().filter(|(name, _)| is_kept(name.as_str()));
    kept.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect()
}

fn raw(text: &str) -> Option<Box<RawValue>> {
    if text.is_empty() || text.len() > LONGEST_BODY {
        return None;
    }
    let json = RawValue::from_string(text.to_owned());
    json.or_else(|_| to_raw_value(text)).ok()
}
