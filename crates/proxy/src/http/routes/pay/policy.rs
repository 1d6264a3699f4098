//! Which styles and scripts a page may use (Content Security Policy, level 3).

use std::sync::LazyLock;

use aws_lc_rs::digest::{SHA256, digest};
use axum::http::HeaderValue;
use axum::http::header::InvalidHeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tender_checkout::render::STYLE;

/// The page's own style sheet, by its hash, and nothing else. Forms are submitted to the proxy only, and the page can't be
/// embedded.
static PLAIN: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(digest(&SHA256, STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
});

/// What the live element needs in addition: the widget and its requests, from the proxy. Icons of browser wallets are `data:`
/// URLs.
const LIVE: &str = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

/// The policy of a page; `is_live` if the live element may replace it.
pub(super) fn policy(is_live: bool) -> Result<HeaderValue, InvalidHeaderValue> {
    if is_live {
        HeaderValue::try_from(format!("{}; {LIVE}", *PLAIN))
    } else {
        HeaderValue::try_from(PLAIN.as_str())
    }
}
