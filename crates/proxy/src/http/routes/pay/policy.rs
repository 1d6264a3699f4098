//! Which styles and scripts a page may use (Content Security Policy, level 3).

use aws_lc_rs::digest::{SHA256, digest};
use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tender_checkout::render::STYLE;

/// What the live element needs in addition: the widget and its requests, from the proxy. Icons of browser wallets are `data:`
/// URLs.
const LIVE: &str = "; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

/// The policy of a page; `is_live` if the live element may replace it. Without that, it allows the page's own style sheet, by
/// its hash, and nothing else. Forms are submitted to the proxy only, and the page can't be embedded.
pub(super) fn policy(is_live: bool) -> HeaderValue {
    let style = STANDARD.encode(digest(&SHA256, STYLE.as_bytes()));
    let live = if is_live { LIVE } else { "" };
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'{live}"
    );
    // It is valid in a header; otherwise the page could load nothing.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}
