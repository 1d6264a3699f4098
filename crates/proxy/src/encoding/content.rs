//! Content that clients validate by its entity tag.

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Bytes;
use axum::http::HeaderValue;

/// Bytes to send, and the entity tag that identifies them (RFC 9110, section 8.8.3).
pub(crate) struct Content {
    pub(crate) bytes: Bytes,
    pub(crate) etag: HeaderValue,
}

impl From<Bytes> for Content {
    fn from(bytes: Bytes) -> Self {
        let digest = digest(&SHA256, &bytes);
        let (prefix, _) = digest.as_ref().split_at(16);
        let hex = hex::encode(prefix);
        // Hexadecimal digits and quotes are valid in a header.
        let etag = HeaderValue::try_from(format!("\"{hex}\""));
        Self {
            bytes,
            etag: etag.unwrap_or(HeaderValue::from_static("")),
        }
    }
}
