//! Origins whose pages may call the proxy.

use std::str::FromStr;

use axum::http::HeaderValue;
use reqwest::Url;

/// An origin as browsers send it in a request, or `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

impl Origin {
    /// Whether this is `*`.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.0 == "*"
    }

    /// The value of the header `Origin`.
    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // As browsers write it: in lower case, without a default port and without a path.
        let is_origin =
            |url: Url| url.origin().is_tuple() && url.origin().ascii_serialization() == text;
        match HeaderValue::from_str(text) {
            Ok(origin) if text == "*" || text.parse().is_ok_and(is_origin) => Ok(Self(origin)),
            _ => Err(format!(
                "{text:?} is not an origin; write it as browsers send it, such as \
                 https://shop.example, or *"
            )),
        }
    }
}
