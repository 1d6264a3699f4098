//! The payment service, as its document describes it: four endpoints on two addresses.
//!
//! Redirects are not followed and TLS is verified against the system's trust store. Answers come
//! back as text or as [`Record`]s, so that no digit of an amount changes on its way.

mod error;

use axum::http::{HeaderMap, Method};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use serde_json::json;
use tender_protocol::{CancelPayment, CreatePayment, Record, path};

pub(crate) use error::{ServiceError, causes};

use crate::config::{Config, PageParameter};

/// A bound on what the service can make us hold: thousands of token records.
const MAX_ANSWER: usize = 4 << 20;

/// What the service answers to a cancel and a list.
const PAYMENTS: &str = "a list of payment records";

/// A client of the service.
pub(crate) struct Service {
    client: Client,
    headers: HeaderMap,
    base_url: Url,
    rates_base_url: Url,
    page_parameter: PageParameter,
    first_page: u32,
}

impl Service {
    pub(crate) fn new(config: &Config) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: Client::builder()
                .redirect(Policy::none())
                .connect_timeout(config.upstream_connect_timeout)
                .timeout(config.upstream_timeout)
                .user_agent(concat!("tender-proxy/", env!("CARGO_PKG_VERSION")))
                .build()?,
            headers: config.upstream_headers.clone(),
            base_url: config.base_url.clone(),
            rates_base_url: config.rates_base_url.clone(),
            page_parameter: config.page_parameter,
            first_page: config.first_page,
        })
    }

    /// "List enabled tokens": a JSON array of objects, as it came.
    pub(crate) async fn tokens(&self) -> Result<String, ServiceError> {
        let url = below(&self.rates_base_url, path::TOKENS);
        let json = answer(self.request(Method::GET, url)).await?;
        Record::parse_array(&json, "a list of token records")?;
        Ok(json)
    }

    /// "Create a payment request": a JSON object. The body has the documented fields and no other.
    pub(crate) async fn create(&self, payment: &CreatePayment) -> Result<Record, ServiceError> {
        let url = below(&self.base_url, path::PAYMENT);
        let json = answer(self.request(Method::POST, url).json(payment)).await?;
        Ok(Record::parse(&json, "a payment record")?)
    }

    /// "Cancel a payment": a JSON array of objects, as it came.
    pub(crate) async fn cancel(&self, payment: &CancelPayment) -> Result<String, ServiceError> {
        let url = below(&self.base_url, path::CANCEL);
        let json = answer(self.request(Method::POST, url).json(payment)).await?;
        Record::parse_array(&json, PAYMENTS)?;
        Ok(json)
    }

    /// "List payments": one page, as it came; 0 is the first, whatever number the service gives it.
    pub(crate) async fn list(&self, page: u32) -> Result<String, ServiceError> {
        let page = self.first_page.saturating_add(page);
        let mut url = below(&self.base_url, path::LIST);
        let request = match self.page_parameter {
            PageParameter::Query => {
                url.query_pairs_mut().append_pair("page", &page.to_string());
                self.request(Method::GET, url)
            }
            PageParameter::Path => self.request(Method::GET, below(&url, &format!("/{page}"))),
            PageParameter::Body => self
                .request(Method::GET, url)
                .json(&json!({ "page": page })),
        };
        let json = answer(request).await?;
        Record::parse_array(&json, PAYMENTS)?;
        Ok(json)
    }

    /// The records of such a page.
    pub(crate) async fn records(&self, page: u32) -> Result<Vec<Record>, ServiceError> {
        Ok(Record::parse_array(&self.list(page).await?, PAYMENTS)?)
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        // Not the client's default headers: of those, a repeated name is sent once.
        self.client
            .request(method, url)
            .headers(self.headers.clone())
    }
}

/// The address of a path below a base address, which may have a path of its own.
fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

/// Sends a request and reads its answer, a bounded text.
async fn answer(request: RequestBuilder) -> Result<String, ServiceError> {
    let response = request.send().await?;
    let status = response.status();
    if status.is_client_error() {
        return Err(ServiceError::Refused(status));
    }
    if !status.is_success() {
        return Err(ServiceError::Failed(status));
    }
    String::from_utf8(body(response).await?).map_err(|_| ServiceError::NotText)
}

async fn body(mut response: Response) -> Result<Vec<u8>, ServiceError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(ServiceError::TooLong(MAX_ANSWER));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
