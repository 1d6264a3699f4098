//! What a page asked for, from what the browser tells of it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::chromium::Told;
use super::page::text;

/// A request, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Request {
    pub(super) url: String,
    /// What the browser takes it for: `Document`, `Script`, `Fetch`, `Preflight` and so on.
    pub(super) kind: String,
    /// Microseconds on the browser's clock.
    pub(super) started: f64,
    /// The same, of the last byte; `None` while it is under way, and where it failed.
    pub(super) finished: Option<f64>,
    /// Bytes of the body, as they were sent: compressed.
    pub(super) bytes: f64,
    pub(super) failure: Option<String>,
}

/// The requests, in the order in which they began.
pub(super) fn requests(log: &[Told]) -> Vec<Request> {
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let mut requests: Vec<Request> = Vec::new();
    for Told { method, params, .. } in log {
        let id = text(params, "requestId");
        let time = params.get("timestamp").and_then(Value::as_f64);
        let time = time.unwrap_or_default() * 1e6;
        if method == "Network.requestWillBeSent" {
            let url = params.get("request").map(|request| text(request, "url"));
            let url = url.unwrap_or_default();
            if url.starts_with("http") {
                ids.insert(id, requests.len());
                requests.push(Request {
                    url,
                    kind: text(params, "type"),
                    started: time,
                    ..Request::default()
                });
            }
            continue;
        }
        let Some(request) = ids.get(&id).and_then(|at| requests.get_mut(*at)) else {
            continue;
        };
        let number = |name: &str| params.get(name).and_then(Value::as_f64);
        match method.as_str() {
            // With a length, that is the body; without, what came over the wire has to do.
            "Network.responseReceived" => {
                let headers = params.pointer("/response/headers");
                let length = headers.and_then(|headers| {
                    headers
                        .as_object()?
                        .iter()
                        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                });
                let length = length.and_then(|(_, value)| value.as_str()?.parse().ok());
                request.bytes = length.unwrap_or_default();
            }
            "Network.loadingFinished" => {
                request.finished = Some(time);
                if request.bytes == 0.0 {
                    request.bytes = number("encodedDataLength").unwrap_or_default();
                }
            }
            "Network.loadingFailed" => request.failure = Some(text(params, "errorText")),
            _ => {}
        }
    }
    requests
}

/// Those that were asked of somebody else: nothing answers them here.
pub(super) fn elsewhere(requests: &[Request]) -> Vec<String> {
    let others = requests.iter().filter(|request| !is_here(&request.url));
    others
        .map(|request| host(&request.url).to_owned())
        .collect()
}

/// What had come until a moment, without the shop's page itself: how many requests were answered, and the bytes of
/// their bodies.
pub(super) fn before(requests: &[Request], moment: f64) -> (usize, f64) {
    let there = requests.iter().filter(|request| {
        request.kind != "Document" && request.finished.is_some_and(|time| time <= moment)
    });
    there.fold((0, 0.0), |(count, bytes), request| {
        (count + 1, bytes + request.bytes)
    })
}

fn is_here(url: &str) -> bool {
    host(url).split(':').next() == Some("127.0.0.1")
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(method: &str, params: Value) -> Told {
        Told {
            method: format!("Network.{method}"),
            params,
        }
    }

    fn sent(id: &str, url: &str, kind: &str, time: f64) -> Told {
        let request = json!({ "url": url });
        told(
            "requestWillBeSent",
            json!({
                "requestId": id, "request": request, "type": kind, "timestamp": time,
            }),
        )
    }

    #[test]
    fn counts_the_compressed_bodies_that_were_there() {
        let log = [
            sent("1", "http://127.0.0.1:1/shop", "Document", 1.0),
            told(
                "loadingFinished",
                json!({ "requestId": "1", "timestamp": 1.1, "encodedDataLength": 900 }),
            ),
            sent("2", "http://127.0.0.1:2/a.js", "Script", 1.2),
            told(
                "responseReceived",
                json!({ "requestId": "2", "response": { "headers": { "Content-Length": "500" } } }),
            ),
            told(
                "loadingFinished",
                json!({ "requestId": "2", "timestamp": 1.5, "encodedDataLength": 700 }),
            ),
            sent("3", "http://127.0.0.1:2/late", "Fetch", 1.4),
            told(
                "loadingFinished",
                json!({ "requestId": "3", "timestamp": 2.5, "encodedDataLength": 80 }),
            ),
            sent("4", "https://wallets.example/list", "Fetch", 1.4),
            told(
                "loadingFailed",
                json!({ "requestId": "4", "errorText": "net::ERR_NAME_NOT_RESOLVED" }),
            ),
            sent("5", "data:image/png;base64,", "Image", 1.4),
        ];
        let requests = requests(&log);
        assert_eq!(requests.len(), 4);
        assert_eq!(before(&requests, 2e6), (1, 500.0));
        assert_eq!(before(&requests, 3e6), (2, 580.0));
        assert_eq!(elsewhere(&requests), ["wallets.example"]);
    }
}
