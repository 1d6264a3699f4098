//! A client of server-sent events, like a browser.

use std::collections::HashMap;
use std::time::Duration;

use axum::http::StatusCode;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::timeout;

/// Longer than any test needs.
const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Listener {
    pub(crate) response: Response,
    text: String,
}

/// Sends a request again until the proxy accepts it.
pub(crate) async fn until_accepted(request: impl Fn() -> RequestBuilder) {
    while request().send().await.unwrap().status() != StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// An event. One without data only sets the id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StreamEvent {
    pub(crate) event: String,
    pub(crate) id: Option<i64>,
    pub(crate) data: String,
}

impl StreamEvent {
    pub(crate) fn status(&self) -> String {
        let record: Value = serde_json::from_str(&self.data).unwrap();
        record["statusText"].as_str().unwrap().to_owned()
    }
}

impl Listener {
    pub(crate) async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next event, which must be about a payment.
    pub(crate) async fn next(&mut self) -> StreamEvent {
        let event = self.next_any().await;
        assert_eq!(event.event, "status");
        assert!(event.id.is_some());
        event
    }

    /// The next event of any kind.
    pub(crate) async fn next_any(&mut self) -> StreamEvent {
        timeout(TIMEOUT, self.read_event())
            .await
            .expect("an event in time")
            .expect("an event before the end")
    }

    /// Whether no event arrives for this long.
    pub(crate) async fn is_silent_for(&mut self, while_waiting: Duration) -> bool {
        timeout(while_waiting, self.read_event()).await.is_err()
    }

    /// Waits for the end of the stream.
    pub(crate) async fn end(mut self) {
        let end = timeout(TIMEOUT, self.read_event()).await;
        assert!(end.expect("an end in time").is_none());
    }

    async fn read_event(&mut self) -> Option<StreamEvent> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let fields = fields(block);
                self.text = rest.to_owned();
                let id = fields.get("id").map(|id| id.parse().unwrap());
                if id.is_some() || fields.contains_key("data") {
                    let field = |name| fields.get(name).cloned().unwrap_or_default();
                    return Some(StreamEvent {
                        event: field("event"),
                        id,
                        data: field("data"),
                    });
                }
                assert!(fields.keys().all(|name| name == "retry" || name.is_empty()));
            }
            let chunk = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

fn fields(block: &str) -> HashMap<String, String> {
    let fields = block.lines().map(|line| line.split_once(':').unwrap());
    fields
        .map(|(name, value)| (name.to_owned(), value.trim_start().to_owned()))
        .collect()
}
