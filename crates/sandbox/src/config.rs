//! The configuration of a sandbox: command-line flags, or fields in a test.

use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;
use tender_protocol::Status;

/// Addresses, and the configurable ones of the sandbox's own choices (see
/// [`choices`](crate::choices)).
#[derive(Clone, Debug, clap::Parser)]
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
    /// The configuration for tests: two free ports of this machine, no webhook.
    #[must_use]
    pub fn on_free_ports() -> Self {
        let free_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self {
            listen: free_port,
            rates_listen: free_port,
            webhook: None,
            require_header: None,
            first_page: 1,
            cancelled_status: Status::Other {
                id: "3".to_owned(),
                text: "Cancelled".to_owned(),
            },
        }
    }
}

/// A required request header, written as `Name: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredHeader {
    name: HeaderName,
    /// Marked as sensitive, so that logs don't show it.
    value: HeaderValue,
}

/// Why a text is not a [`RequiredHeader`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// There is no colon.
    #[error("write the header as \"Name: value\"")]
    NoColon,
    /// Not a header name (RFC 9110, section 5.1).
    #[error("the part before the colon is not a header name")]
    Name,
    /// Not a header value (RFC 9110, section 5.5).
    #[error("the part after the colon is not a header value")]
    Value,
}

impl RequiredHeader {
    /// The name of the header.
    #[must_use]
    pub fn name(&self) -> &HeaderName {
        &self.name
    }

    pub(crate) fn is_in(&self, headers: &HeaderMap) -> bool {
        headers.get(&self.name) == Some(&self.value)
    }
}

impl FromStr for RequiredHeader {
    type Err = HeaderError;

    fn from_str(text: &str) -> Result<Self, HeaderError> {
        let (name, value) = text.split_once(':').ok_or(HeaderError::NoColon)?;
        let name = name.trim().parse().map_err(|_| HeaderError::Name)?;
        let mut value: HeaderValue = value.trim().parse().map_err(|_| HeaderError::Value)?;
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
    use clap::{CommandFactory, Parser};

    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Config::command().debug_assert();
    }

    #[test]
    fn the_defaults_are_those_of_the_tests() {
        let flags = Config::try_parse_from(["tender-sandbox"]).unwrap();
        let test = Config::on_free_ports();
        assert_eq!(flags.first_page, test.first_page);
        assert_eq!(flags.cancelled_status, test.cancelled_status);
        assert_eq!(flags.webhook, test.webhook);
        assert_eq!(flags.require_header, test.require_header);
    }

    #[test]
    fn a_required_header_is_a_name_and_a_value() {
        let header: RequiredHeader = "Authorization:  Bearer a:b ".parse().unwrap();
        assert_eq!(header.name(), "authorization");
        assert_eq!(header.value, "Bearer a:b");
        assert!(!format!("{header:?}").contains("Bearer"));
        let error = |text: &str| text.parse::<RequiredHeader>().unwrap_err();
        assert_eq!(error("Authorization"), HeaderError::NoColon);
        assert_eq!(error("not a name: value"), HeaderError::Name);
        assert_eq!(error("Name: a\nb"), HeaderError::Value);
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
