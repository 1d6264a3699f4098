//! The client of the proxy's merchant routes.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, StatusCode, Url};
use serde::de::DeserializeOwned;
use tender_protocol::client::failure::causes;
use tender_protocol::client::url::UrlParts;
use tender_protocol::ledger::MAX_ASKED;
use tender_protocol::secret_lines::secret_lines;
use tender_protocol::{
    CancelPayment, Deliveries, Ledger, Problem, Record, Resend, Resent, path, sanitize,
};

use crate::Connection;
use crate::failure::Failure;
use crate::print::{count, note};

/// Longer than the proxy takes for all its tries to reach the service.
const TIMEOUT: Duration = Duration::from_secs(90);

pub(crate) struct Client {
    http: reqwest::Client,
    proxy: Url,
}

impl Client {
    pub(crate) fn new(connection: Connection) -> Result<Self, Failure> {
        let proxy = connection.proxy;
        let parts = UrlParts::split(proxy.as_str());
        if proxy.scheme() == "http" && !parts.is_some_and(|parts| parts.is_https_or_local()) {
            note("the connection to the proxy is not encrypted: others may read the key");
        }
        let mut headers = HeaderMap::new();
        if let Some(key) = key(
            connection.merchant_key,
            connection.merchant_key_file.as_deref(),
        )? {
            let value = HeaderValue::from_str(&format!("Bearer {key}")).ok();
            let value = value.filter(|_| key.bytes().all(|byte| byte.is_ascii_graphic()));
            let mut value = value.ok_or_else(|| {
                let reason = "the merchant key has white space or characters that are not ASCII; is it another text?";
                Failure::Usage(reason.to_owned())
            })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .timeout(TIMEOUT)
            // The key must not be sent to another address.
            .redirect(Policy::none())
            .no_proxy()
            .build();
        let http = http.map_err(|error| Failure::Failed(causes(&error)))?;
        Ok(Self { http, proxy })
    }

    /// A page of the list, from 1.
    pub(crate) async fn page(&self, page: u32) -> Result<Vec<Record>, Failure> {
        self.list("page", &page.to_string()).await
    }

    /// The records after this payment in the list; none at its end.
    pub(crate) async fn list_after(&self, transaction_id: &str) -> Result<Vec<Record>, Failure> {
        self.list("after", transaction_id).await
    }

    async fn list(&self, parameter: &str, value: &str) -> Result<Vec<Record>, Failure> {
        let mut url = self.url(path::LIST);
        url.query_pairs_mut().append_pair(parameter, value);
        let json = self.answer(self.http.get(url)).await?;
        let elements = Record::parse_array(&json, "a list of payments").map_err(unreadable)?;
        let all = elements.len();
        let records: Vec<_> = elements.into_iter().flatten().collect();
        if records.len() < all {
            let others = count(all - records.len(), "element");
            note(&format!("{others} of the list skipped: not a record."));
        }
        Ok(records)
    }

    /// What the proxy knows of payments; `None` if the proxy does not have this route.
    pub(crate) async fn ledger(&self, ids: &[&str]) -> Result<Option<Ledger>, Failure> {
        let mut url = self.url(path::LEDGER);
        for id in ids.iter().take(MAX_ASKED) {
            url.query_pairs_mut().append_pair("transactionId", id);
        }
        match self.answer(self.http.get(url)).await {
            Ok(json) => Ledger::parse(&json).map(Some).map_err(unreadable),
            Err(failure) if failure.is_missing_route() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Requests a cancellation. The response is ignored, because it does not state the new status.
    pub(crate) async fn cancel(&self, transaction_id: &str) -> Result<(), Failure> {
        let payment = CancelPayment {
            transaction_id: transaction_id.to_owned(),
        };
        let request = self.http.post(self.url(path::CANCEL)).json(&payment);
        self.answer(request).await.map(drop)
    }

    /// A page of notifications, selected by the parameters of the proxy's route.
    pub(crate) async fn deliveries(&self, query: &[(&str, &str)]) -> Result<Deliveries, Failure> {
        let mut url = self.url(path::DELIVERIES);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.answer_as(self.http.get(url)).await
    }

    /// Has these notifications sent again, or all that were given up.
    pub(crate) async fn resend(&self, ids: &[String], given_up: bool) -> Result<Resent, Failure> {
        let ids = ids.to_vec();
        let resend = Resend { ids, given_up };
        let request = self.http.post(self.url(path::RESEND)).json(&resend);
        self.answer_as(request).await
    }

    /// The answer of a route that proxies without notifications don't have.
    async fn answer_as<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failure> {
        match self.answer(request).await {
            Ok(json) => serde_json::from_str(&json).map_err(unreadable),
            Err(failure) if failure.is_missing_route() => Err(Failure::Failed(
                "the proxy has no notifications; is it an older version?".to_owned(),
            )),
            Err(failure) => Err(failure),
        }
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.proxy.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.set_path(&format!(
            "{}{path}",
            self.proxy.path().trim_end_matches('/')
        ));
        url
    }

    /// The body of a response with the status 200.
    async fn answer(&self, request: RequestBuilder) -> Result<String, Failure> {
        let unreachable = |error: reqwest::Error| Failure::Unreachable {
            address: self.proxy.origin().ascii_serialization(),
            reason: sanitize(&causes(&error.without_url())),
        };
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let text = response.text().await.map_err(unreachable)?;
        if status == StatusCode::OK {
            return Ok(text);
        }
        let problem: Problem = serde_json::from_str(&text).unwrap_or_default();
        let message = if problem.detail.is_empty() {
            let status = status.as_u16();
            format!("the response is {status}, and not from a proxy; is the address right?")
        } else {
            sanitize(&problem.detail)
        };
        Err(match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Failure::NotAllowed(message),
            _ => Failure::Refused(status, message),
        })
    }
}

fn unreadable(error: impl Display) -> Failure {
    Failure::Failed(sanitize(&error.to_string()))
}

/// Reads the merchant key. It is optional: a server between this command and the proxy may add it. A blank one counts as not
/// given.
fn key(given: Option<String>, file: Option<&Path>) -> Result<Option<String>, Failure> {
    let given = given.filter(|text| !text.trim().is_empty());
    let file = file.filter(|path| !path.as_os_str().is_empty());
    let (text, from) = match (given, file) {
        (Some(_), Some(_)) => {
            let reason = "there are two merchant keys; set either TENDER_MERCHANT_KEY or --merchant-key-file";
            return Err(Failure::Usage(reason.to_owned()));
        }
        (Some(text), None) => (text, "the merchant key".to_owned()),
        (None, Some(path)) => {
            // The path is not shown: it may be the key itself.
            let text = std::fs::read_to_string(path).map_err(|error| {
                Failure::Usage(format!(
                    "--merchant-key-file names a file that can't be read: {error}"
                ))
            })?;
            (text, path.display().to_string())
        }
        (None, None) => return Ok(None),
    };
    // The file may be the proxy's own, with one key per line. Any of them works.
    let lines = secret_lines(&text);
    let lines = lines.map_err(|error| Failure::Usage(format!("{from}, {error}")))?;
    match lines.first() {
        Some(line) => Ok(Some(line.text.to_owned())),
        None => Err(Failure::Usage(format!("{from} is empty"))),
    }
}
