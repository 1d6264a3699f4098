//! The configuration of a sandbox: command-line flags, or fields in a test.

use std::net::SocketAddr;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use clap::Parser;
use reqwest::Url;
use tender_protocol::Status;

/// Addresses, and the configurable ones of the sandbox's own choices (see
/// [`choices`](crate::choices)).
#[derive(Clone, Debug, Parser)]
#[command(
    name = "tender-sandbox",
    version,
    about = "The payment service as documented, stateful, for demos and tests. No money moves: \
             never pay to a wallet that it shows."
)]
pub struct Config {
    /// Address of the payment endpoints and of the controls
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8082")]
    pub listen: SocketAddr,
    /// Address of the token listing
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8083")]
    pub rates_listen: SocketAddr,
    /// Webhook that is notified of each new payment
    #[arg(long, value_name = "URL")]
    pub webhook: Option<Url>,
    /// Header that every request must have, in place of the undocumented authentication
    #[arg(long, value_name = "NAME: VALUE")]
    pub require_header: Option<RequiredHeader>,
    /// Number of the first page of the payment list
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub first_page: usize,
    /// Status of a cancelled payment
    #[arg(long, value_name = "ID:TEXT", default_value = "3:Cancelled", value_parser = status)]
    pub cancelled_status: Status,
}

impl Config {
    /// The defaults, but on two free ports of this machine, for tests.
    pub fn on_free_ports() -> Self {
        Self::parse_from([
            "tender-sandbox",
            "--listen=127.0.0.1:0",
            "--rates-listen=127.0.0.1:0",
        ])
    }
}

/// A required request header, written as `Name: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredHeader {
    name: HeaderName,
    /// Marked as sensitive, so that logs don't show it.
    value: HeaderValue,
}

impl RequiredHeader {
    /// The name of the header.
    pub fn name(&self) -> &HeaderName {
        &self.name
    }

    pub(crate) fn is_in(&self, headers: &HeaderMap) -> bool {
        headers.get(&self.name) == Some(&self.value)
    }
}

impl FromStr for RequiredHeader {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let parts = text.split_once(':');
        let (name, value) = parts.ok_or("write the header as \"Name: value\"")?;
        let name = name.trim().parse();
        let name = name.map_err(|_| "the part before the colon is not a header name")?;
        let value = value.trim().parse();
        let mut value: HeaderValue =
            value.map_err(|_| "the part after the colon is not a header value")?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }
}

fn status(text: &str) -> Result<Status, String> {
    text.split_once(':')
        .filter(|(id, name)| !id.is_empty() && !name.is_empty())
        .and_then(|(id, name)| Status::new(id, name))
        .ok_or_else(|| "write the status as ID:TEXT, like 3:Cancelled".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_required_header_is_a_name_and_a_value() {
        let header: RequiredHeader = "Authorization:  Bearer a:b ".parse().unwrap();
        assert_eq!(header.name(), "authorization");
        assert_eq!(header.value, "Bearer a:b");
        assert!(!format!("{header:?}").contains("Bearer"));
        for (text, error) in [
            ("Authorization", "write the header as"),
            ("not a name: value", "the part before"),
            ("Name: a\nb", "the part after"),
        ] {
            let refused = text.parse::<RequiredHeader>().unwrap_err();
            assert!(refused.starts_with(error), "{refused}");
        }
    }

    #[test]
    fn a_status_is_an_id_and_a_text() {
        assert_eq!(
            status("3:Cancelled"),
            Ok(Config::on_free_ports().cancelled_status)
        );
        assert_eq!(status("1:Created"), Ok(Status::Created));
        for text in ["3", "3:", ":Cancelled", ""] {
            status(text).unwrap_err();
        }
    }
}
