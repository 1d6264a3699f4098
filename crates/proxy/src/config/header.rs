//! Headers for requests to the payment service.

use std::str::FromStr;

use axum::http::{HeaderName, HeaderValue};

/// A header for every request to the payment service. Its `Debug` output does not show the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamHeader {
    pub(crate) name: HeaderName,
    pub(crate) value: HeaderValue,
}

/// Parses `Name: value`.
impl FromStr for UpstreamHeader {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let header = text.split_once(':').and_then(|(name, value)| {
            let name = HeaderName::from_str(name.trim()).ok()?;
            let mut value = HeaderValue::from_str(value.trim()).ok()?;
            value.set_sensitive(true);
            Some(Self { name, value })
        });
        header.ok_or("each line must be `Name: value`")
    }
}
