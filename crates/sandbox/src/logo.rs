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
    let colour = colour(listed.symbol);
    let strokes = strokes(listed.symbol);
    // Native coins have no badge. Checkouts cut a circle out of the image, so the badge is inside it.
    let (size, badge) = if listed.decimals.is_some() {
        let network = self::colour(listed.network.currency);
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

fn colour(symbol: &str) -> &'static str {
    match symbol {
        "BTC" => "#f7931a",
        "TRX" => "#d9232e",
        "USDT" => "#26a17b",
        "BNB" => "#e0a800",
        "ETH" => "#627eea",
        "USDC" => "#2775ca",
        "KXP" => "#5b3fd6",
        _ => "#64748b",
    }
}

/// The strokes of the monogram, in a 32 by 32 view box.
fn strokes(symbol: &str) -> &'static str {
    match symbol {
        // The letter B.
        "BTC" | "BNB" => "M12 9v14h5a3.7 3.7 0 0 0 0-7.4h-5h4.4a3.3 3.3 0 0 0 0-6.6z",
        // The letter T.
        "TRX" => "M10 10h12M16 10v13",
        // The letter U.
        "USDT" | "USDC" => "M11 9v8.5a5 5 0 0 0 10 0V9",
        // The letter E.
        "ETH" => "M21 9h-9v14h9M12 16h7.5",
        // The letter K.
        "KXP" => "M12 9v14M21 9l-9 8M15.3 14.2L21 23",
        // A ring.
        _ => "M16 10a6 6 0 1 0 .01 0z",
    }
}
