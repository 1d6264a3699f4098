//! The token listing that the service and the proxy serve.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Site;
use crate::error::Error;
use crate::widget::listing;
use crate::widget::nginx::LISTING;

/// How long the proxy may take to serve another listing.
const LIST_LIMIT: Duration = Duration::from_secs(30);

impl Site {
    /// Makes the service list this many tokens: its own ones and others with codes that it does not
    /// accept. Returns when the proxy serves the new listing.
    pub(in crate::widget) fn list(&self, count: usize) -> Result<(), Error> {
        let url = format!("{}/sandbox/tokens", self.service);
        let cannot = |error: String| Error::Wrong {
            program: "tender-sandbox".to_owned(),
            url: url.clone(),
            answer: error,
        };
        let sent = minreq::delete(&url).send();
        sent.map_err(|error| cannot(error.to_string()))?;
        let records = listed(&self.rates).unwrap_or_default();
        let Some(records) = listing::of_length(records, count) else {
            return Err(cannot("an invalid listing".to_owned()));
        };
        let sent = minreq::put(&url).with_body(records.to_string()).send();
        sent.map_err(|error| cannot(error.to_string()))?;
        let deadline = Instant::now() + LIST_LIMIT;
        while listed(&self.address).as_ref() != Some(&records) {
            if Instant::now() > deadline {
                return Err(cannot(
                    "a listing that the proxy did not serve in time".to_owned(),
                ));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

/// Fetches the listing from a URL.
fn listed(address: &str) -> Option<Value> {
    let answer = minreq::get(format!("{address}{LISTING}")).send();
    serde_json::from_slice(answer.ok()?.as_bytes()).ok()
}
