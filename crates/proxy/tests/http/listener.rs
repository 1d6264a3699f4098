//! One who listens to a stream of server-sent events, as a browser would.

use std::collections::HashMap;
use std::time::Duration;

use axum::http::StatusCode;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::timeout;

/// Longer than any test needs.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Listener {
    pub(crate) response: Response,
    text: String,
}

/// An event, field by field.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) id: i64,
    pub(crate) data: String,
}

impl Heard {
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

    /// The next event.
    pub(crate) async fn next(&mut self) -> Heard {
        timeout(PATIENCE, self.heard())
            .await
            .expect("an event in time")
            .expect("an event before the end")
    }

    /// Whether nothing comes for so long.
    pub(crate) async fn is_silent_for(&mut self, while_waiting: Duration) -> bool {
        timeout(while_waiting, self.heard()).await.is_err()
    }

    /// Waits for the end of the stream.
    pub(crate) async fn end(mut self) {
        let end = timeout(PATIENCE, self.heard()).await;
        assert!(end.expect("an end in time").is_none());
    }

    async fn heard(&mut self) -> Option<Heard> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let fields = fields(block);
                self.text = rest.to_owned();
                if fields.contains_key("data") {
                    assert_eq!(fields["event"], "status");
                    return Some(Heard {
                        id: fields["id"].parse().unwrap(),
                        data: fields["data"].clone(),
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
