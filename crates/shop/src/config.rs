//! Settings.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Parser;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::Url;

use crate::secrets::{MerchantKey, NotifySecret};

/// The command-line flags of `tender-shop`, or plain data in a test. There is no `Debug` for it, because it has secrets.
#[derive(Clone, Parser)]
#[command(name = "tender-shop", version, about)]
pub struct Config {
    /// Address to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Origin of the merchant proxy, as seen by the buyer's browser
    #[arg(long, value_name = "ORIGIN", default_value = "http://127.0.0.1:8081")]
    pub proxy: Origin,

    /// HS256 secret that signs orders; the same text as the proxy's `order_key`
    #[arg(
        long,
        value_name = "KID=SECRET",
        env = "TENDER_ORDER_KEY",
        hide_env_values = true
    )]
    pub order_key: OrderKey,

    /// Origin of this shop, as seen by the buyer's browser; by default the address it listens on, if that is a
    /// loopback address
    #[arg(long, value_name = "ORIGIN")]
    pub origin: Option<Origin>,

    /// Secret of the proxy's notifications (`notify_secret`); enables `/notifications`
    #[arg(
        long,
        value_name = "whsec_SECRET",
        env = "TENDER_NOTIFY_SECRET",
        hide_env_values = true
    )]
    pub notify_secret: Option<NotifySecret>,

    /// Fulfil orders that were paid through a proxy in test mode, without real money
    #[arg(long, env = "TENDER_ALLOW_TEST_MODE")]
    pub allow_test_mode: bool,

    /// Merchant key of the proxy; enables the back office at `/office`
    #[arg(
        long,
        value_name = "KEY",
        env = "TENDER_MERCHANT_KEY",
        hide_env_values = true
    )]
    pub merchant_key: Option<MerchantKey>,

    /// Password of the back office; represents a real shop's login
    #[arg(
        long,
        value_name = "PASSWORD",
        env = "TENDER_OFFICE_PASSWORD",
        hide_env_values = true,
        default_value = "demo"
    )]
    pub office_password: String,

    /// Origin of token logos; repeatable
    #[arg(long = "logos", value_name = "ORIGIN")]
    pub logos: Vec<Origin>,

    /// Origin of the sandbox, which the demo's page links to
    #[arg(long, value_name = "ORIGIN")]
    pub sandbox: Option<Origin>,

    /// Directory of the documentation site, which is served at `/docs/`
    #[arg(long, value_name = "DIRECTORY")]
    pub docs: Option<PathBuf>,

    /// Build directory with `index.html` and `shop/`
    #[arg(long, value_name = "DIRECTORY", default_value = "dist")]
    pub dist: PathBuf,
}

/// A web origin: scheme, host and port (RFC 6454, section 6.2).
///
/// It contains only letters, digits and `.-:[]/`, so it needs no escaping in HTML or in a header.
#[derive(Clone, Debug)]
pub struct Origin(String);

impl Origin {
    /// The origin of a server on this machine; `None` if the address is not only for this machine.
    pub(crate) fn local(address: SocketAddr) -> Option<Self> {
        let is_local = address.ip().is_loopback();
        is_local.then(|| Self(format!("http://{address}")))
    }

    /// The origin without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let url = text.parse().ok();
        let url = url.filter(|url: &Url| ["http", "https"].contains(&url.scheme()));
        let origin = url.filter(|url| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]/".contains(&byte);
            // A longer address has more than the slash at its end.
            url.as_str().bytes().all(plain) && url.path() == "/"
        });
        let origin = origin
            .ok_or("write an origin like https://pay.shop.example or http://127.0.0.1:8081")?;
        Ok(Self(origin.origin().ascii_serialization()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// An HS256 secret and its `kid`, as the proxy's `order_key` has them.
#[derive(Clone)]
pub struct OrderKey {
    pub(crate) header: Header,
    pub(crate) secret: EncodingKey,
}

impl FromStr for OrderKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let parts = text.split_once('=');
        let parts = parts.filter(|(kid, secret)| !kid.is_empty() && secret.len() >= 32);
        let (kid, secret) = parts.ok_or(
            "write KID=SECRET, the same text as the proxy's `order_key`; SECRET has at least 32 characters",
        )?;
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(kid.to_owned());
        Ok(Self {
            header,
            secret: EncodingKey::from_secret(secret.as_bytes()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_stored_without_a_trailing_slash() {
        for (text, origin) in [
            ("http://127.0.0.1:8081", "http://127.0.0.1:8081"),
            ("https://Pay.Shop.example/", "https://pay.shop.example"),
            ("http://[::1]:8081", "http://[::1]:8081"),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().as_str(), origin);
        }
    }

    #[test]
    fn origins_with_special_characters_are_refused() {
        for text in [
            "",
            "pay.shop.example",
            "//pay.shop.example",
            "ftp://pay.shop.example",
            "javascript:alert(1)",
            "https://pay.shop.example/v1",
            "https://pay.shop.example/?a",
            "https://:8081",
            "https://user@pay.shop.example",
            "https://pay.shop.example;script-src",
            "https://a'b.example",
            "https://a\"b.example",
            "https://a b.example",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_order_key_has_a_kid_and_a_secret_that_is_hard_to_guess() {
        let secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlYw==";
        let key: OrderKey = format!("demo={secret}").parse().unwrap();
        assert_eq!(key.header.kid.as_deref(), Some("demo"));
        for text in ["", secret, "demo=", "demo=s3cret", &format!("={secret}")] {
            assert!(text.parse::<OrderKey>().is_err(), "{text}");
        }
    }
}
