//! The token images: monograms in each currency's colour, with a badge in the network's colour if
//! the token is not the network's native coin.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::catalogue::Listed;
use crate::refusal::Refusal;

/// The path of a token's image, on the rates address.
pub(crate) fn path(listed: &Listed) -> String {
    format!("/logos/{}.svg", listed.code)
}

/// `GET /logos/{code}.svg`.
pub(crate) async fn serve(Path(file): Path<String>) -> Result<Response, Refusal> {
    let listed = file
        .strip_suffix(".svg")
        .and_then(|code| Listed::find(&code.into()))
        .ok_or(Refusal::NotFound)?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg(listed)).into_response())
}

fn svg(listed: &Listed) -> String {
    let (colour, strokes) = design(listed.symbol);
    // Native coins have no badge. Checkouts cut a circle out of the image, so the badge is inside it.
    let (size, badge) = if listed.decimals.is_some() {
        let (network, _) = design(listed.network.currency);
        let badge = format!(
            r##"<circle cx="24.4" cy="24.4" r="5" fill="#fff"/><circle cx="24.4" cy="24.4" r="3.9" fill="{network}"/>"##
        );
        ("translate(1.5 1.5) scale(.82)", badge)
    } else {
        ("", String::new())
    };
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g transform="{size}"><circle cx="16" cy="16" r="16" fill="{colour}"/><path d="{strokes}" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></g>{badge}</svg>"##
    )
}

/// The colour of a currency, and the strokes of its letter in a 32 by 32 view box.
fn design(symbol: &str) -> (&'static str, &'static str) {
    let letter_b = "M12 9v14h5a3.7 3.7 0 0 0 0-7.4h-5h4.4a3.3 3.3 0 0 0 0-6.6z";
    let letter_t = "M10 10h12M16 10v13";
    let letter_u = "M11 9v8.5a5 5 0 0 0 10 0V9";
    let letter_e = "M21 9h-9v14h9M12 16h7.5";
    let letter_k = "M12 9v14M21 9l-9 8M15.3 14.2L21 23";
    let ring = "M16 10a6 6 0 1 0 .01 0z";
    match symbol {
        "BTC" => ("#f7931a", letter_b),
        "TRX" => ("#d9232e", letter_t),
        "USDT" => ("#26a17b", letter_u),
        "BNB" => ("#e0a800", letter_b),
        "ETH" => ("#627eea", letter_e),
        "USDC" => ("#2775ca", letter_u),
        "KXP" => ("#5b3fd6", letter_k),
        _ => ("#64748b", ring),
    }
}
