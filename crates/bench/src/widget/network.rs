//! The requests of a page, from the browser's network events.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::chromium::{BrowserEvent, number, text};

/// A request and its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Request {
    pub(super) url: String,
    /// The browser's resource type: `Document`, `Script`, `Fetch`, `Preflight` and so on.
    pub(super) kind: String,
    /// When it started, in microseconds of the browser's clock.
    pub(super) started: f64,
    /// When its last byte arrived; `None` if it is unfinished or failed.
    pub(super) finished: Option<f64>,
    /// Transferred bytes of the body (compressed).
    pub(super) bytes: f64,
}

/// The requests in the order in which they started.
pub(super) fn requests(log: &[BrowserEvent]) -> Vec<Request> {
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    let mut requests: Vec<Request> = Vec::new();
    for BrowserEvent { method, params } in log {
        let id = text(params, "requestId");
        let time = number(params, "timestamp") * 1e6;
        if method == "Network.requestWillBeSent" {
            let url = params.pointer("/request/url").and_then(Value::as_str);
            if let Some(url) = url.filter(|url| url.starts_with("http")) {
                ids.insert(id, requests.len());
                requests.push(Request {
                    url: url.to_owned(),
                    kind: text(params, "type").to_owned(),
                    started: time,
                    ..Request::default()
                });
            }
            continue;
        }
        let Some(request) = ids.get(id).and_then(|at| requests.get_mut(*at)) else {
            continue;
        };
        match method.as_str() {
            // Use the content length if there is one, otherwise the bytes on the wire.
            "Network.responseReceived" => {
                let headers = params.pointer("/response/headers");
                let mut headers = headers.and_then(Value::as_object).into_iter().flatten();
                let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
                let length = length.and_then(|(_, value)| value.as_str()?.parse().ok());
                request.bytes = length.unwrap_or_default();
            }
            "Network.loadingFinished" => {
                request.finished = Some(time);
                if request.bytes == 0.0 {
                    request.bytes = number(params, "encodedDataLength");
                }
            }
            _ => {}
        }
    }
    requests
}

/// The hosts of requests to other machines, which don't respond here, with the number of requests.
pub(super) fn other_hosts(requests: &[Request]) -> BTreeMap<&str, usize> {
    let mut hosts = BTreeMap::new();
    for Request { url, .. } in requests {
        let rest = url.split_once("://").map_or(&**url, |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if !host.starts_with("127.0.0.1:") {
            *hosts.entry(host).or_default() += 1;
        }
    }
    hosts
}

/// The number of responses and the bytes of their bodies before a moment, with or without the page itself.
pub(super) fn before(requests: &[Request], moment: f64, with_page: bool) -> (usize, f64) {
    let there = requests.iter().filter(|request| {
        (with_page || request.kind != "Document")
            && request.finished.is_some_and(|time| time <= moment)
    });
    there.fold((0, 0.0), |(count, bytes), request| {
        (count + 1, bytes + request.bytes)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(method: &str, params: Value) -> BrowserEvent {
        BrowserEvent {
            method: format!("Network.{method}"),
            params,
        }
    }

    fn sent(id: &str, url: &str, kind: &str, time: f64) -> BrowserEvent {
        let request = json!({ "url": url });
        event(
            "requestWillBeSent",
            json!({
                "requestId": id, "request": request, "type": kind, "timestamp": time,
            }),
        )
    }

    #[test]
    fn only_received_bytes_are_counted() {
        let log = [
            sent("1", "http://127.0.0.1:1/shop", "Document", 1.0),
            event(
                "loadingFinished",
                json!({ "requestId": "1", "timestamp": 1.1, "encodedDataLength": 900 }),
            ),
            sent("2", "http://127.0.0.1:2/a.js", "Script", 1.2),
            event(
                "responseReceived",
                json!({ "requestId": "2", "response": { "headers": { "Content-Length": "500" } } }),
            ),
            event(
                "loadingFinished",
                json!({ "requestId": "2", "timestamp": 1.5, "encodedDataLength": 700 }),
            ),
            sent("3", "http://127.0.0.1:2/late", "Fetch", 1.4),
            event(
                "loadingFinished",
                json!({ "requestId": "3", "timestamp": 2.5, "encodedDataLength": 80 }),
            ),
            sent("4", "https://wallets.example/list", "Fetch", 1.4),
            sent("5", "data:image/png;base64,", "Image", 1.4),
        ];
        let requests = requests(&log);
        assert_eq!(requests.len(), 4);
        assert_eq!(before(&requests, 2e6, false), (1, 500.0));
        assert_eq!(before(&requests, 3e6, false), (2, 580.0));
        assert_eq!(before(&requests, 3e6, true), (3, 1480.0));
        assert_eq!(other_hosts(&requests), [("wallets.example", 1)].into());
    }
}
