//! Settings of notifications to the shop's backend.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use reqwest::Url;

use super::numbers::{hours, positive_seconds};
use super::{Secret, is_local};

/// Notifications to the shop's backend.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Notifications")]
pub struct Notifications {
    /// Address of the shop's backend that receives the events of payments, as Standard Webhooks:
    /// https, or http on a loopback address. Without one nothing is sent
    #[arg(long, id = "notify_url", value_name = "URL", value_parser = notify_url)]
    pub url: Option<Url>,

    /// Secret that signs notifications: `whsec_` and 24 to 64 bytes in base64. With several, each
    /// notification has a signature of each
    #[arg(long, id = "notify_secret", value_name = "SECRET", hide_env_values = true, value_parser = notify_secret)]
    pub secrets: Vec<Secret>,

    /// Timeout for the response to a notification
    #[arg(long, id = "notify_timeout_seconds", value_name = "SECONDS", default_value = "15", value_parser = positive_seconds)]
    pub timeout: Duration,

    /// How long a payment is followed for its notifications after its creation, until it is paid, with or
    /// without an event stream for it; at most 720
    #[arg(long, id = "notify_follow_hours", value_name = "HOURS", default_value = "72", value_parser = hours)]
    pub follow: Duration,

    /// Pause between two poll cycles for followed payments without an event stream
    #[arg(long, id = "notify_poll_seconds", value_name = "SECONDS", default_value = "30", value_parser = positive_seconds)]
    pub poll_interval: Duration,
}

/// Anyone on the way could read and change what is sent without TLS.
fn notify_url(text: &str) -> Result<Url, &'static str> {
    let fits = |url: &Url| {
        let has_scheme = match url.scheme() {
            "https" => true,
            "http" => is_local(url),
            _ => false,
        };
        has_scheme
            && url.username().is_empty()
            && url.password().is_none()
            && url.fragment().is_none()
    };
    text.parse().ok().filter(fits).ok_or(
        "write an https URL without credentials; http is allowed for a loopback address only",
    )
}

/// `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks, "Signature scheme").
fn notify_secret(text: &str) -> Result<Secret, &'static str> {
    let encoded = text.strip_prefix("whsec_");
    let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    if bytes.is_some_and(|bytes| (24..=64).contains(&bytes.len())) {
        return Ok(Secret::from(text));
    }
    Err(
        "write `whsec_` and 24 to 64 bytes in base64; `echo whsec_$(openssl rand -base64 32)` generates a good one",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_addresses_need_no_tls() {
        for url in [
            "https://shop.example/hooks?a=b",
            "https://192.0.2.1/",
            "http://localhost:8080/hooks",
            "http://127.0.0.2/",
            "http://[::1]:9/",
        ] {
            assert!(notify_url(url).is_ok(), "{url}");
        }
        for url in [
            "",
            "shop.example",
            "http://shop.example/",
            "http://10.0.0.1/",
            "http://localhost.example/",
            "ftp://127.0.0.1/",
            "https://me:pw@shop.example/",
            "https://shop.example/#a",
        ] {
            assert!(notify_url(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_secret_has_a_prefix_and_24_to_64_bytes() {
        let secret = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
        for bytes in [24, 32, 64] {
            assert!(notify_secret(&secret(bytes)).is_ok());
        }
        let plain = secret(32).replace("whsec_", "");
        for text in [
            "",
            "whsec_",
            "whsec_short",
            &secret(23),
            &secret(65),
            &plain,
        ] {
            assert!(notify_secret(text).is_err(), "{text}");
        }
    }
}
