//! Headers for requests to the payment service.

use std::str::FromStr;

use axum::http::header::{
    CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use axum::http::{HeaderName, HeaderValue};

/// Headers of the connection and the body (RFC 9110, sections 7.2, 7.6.1 and 8). The HTTP client sets them.
const SET_BY_CLIENT: [HeaderName; 8] = [
    CONNECTION,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    HOST,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

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
        let header = header.ok_or("each line must be `Name: value`")?;
        if SET_BY_CLIENT.contains(&header.name) {
            return Err(
                "the proxy sets headers of the connection and the body, such as `Host` and \
                 `Content-Length`; remove the line",
            );
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_connection_and_the_body_are_refused() {
        for name in [
            "Connection",
            "content-length",
            "Content-Type",
            "HOST",
            "Transfer-Encoding",
            "Upgrade",
        ] {
            let refused = format!("{name}: 5").parse::<UpstreamHeader>().unwrap_err();
            assert!(refused.ends_with("; remove the line"), "{refused}");
        }
        let header: UpstreamHeader = "X-Credential: a:b ".parse().unwrap();
        assert_eq!(
            (header.name.as_str(), header.value.as_bytes()),
            ("x-credential", &b"a:b"[..])
        );
    }
}
