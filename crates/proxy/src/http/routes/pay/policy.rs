//! Which styles and scripts a page may use (Content Security Policy, level 3).

use aws_lc_rs::digest::{SHA256, digest};
use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tender_checkout::render::{Page, STYLE};

/// What the live element needs in addition: the widget and its requests, from the proxy. Icons of browser wallets, too, which are
/// `data:` URLs.
const LIVE: &str = "; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/// The policy of a page. It allows the page's own style sheets, by their hashes, the shop's logo, and what the live element
/// needs if that may replace the page. Forms are submitted to the proxy only, and the page can't be embedded.
pub(super) fn policy(page: &Page) -> HeaderValue {
    let styles = [Some(STYLE.as_str()), page.colours.as_deref()];
    let styles = styles.into_iter().flatten().map(|style| {
        let hash = STANDARD.encode(digest(&SHA256, style.as_bytes()));
        format!(" 'sha256-{hash}'")
    });
    let styles: String = styles.collect();
    let live = if page.live.is_some() { LIVE } else { "" };
    let images = match (page.logo.is_some(), page.live.is_some()) {
        (false, false) => "",
        (false, true) => "; img-src data:",
        (true, false) => "; img-src 'self'",
        (true, true) => "; img-src 'self' data:",
    };
    let policy = format!(
        "default-src 'none'; style-src{styles}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'{live}{images}"
    );
    // It is valid in a header; otherwise the page could load nothing.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}
