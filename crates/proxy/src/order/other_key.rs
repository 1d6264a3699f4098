//! Recognises with which other key a shop has signed by mistake. Such an order is refused all the same.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use jsonwebtoken::crypto::verify;
use jsonwebtoken::{Algorithm, DecodingKey};

use crate::config::OrderKey;

/// Base64 with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The mistake, if an order whose signature does not match this key was signed with one that is nearly it, or empty.
pub(super) fn other_key(key: &OrderKey, order: &str) -> Option<&'static str> {
    let secret = key.secret.as_ref()?.as_str();
    let (signed, signature) = order.rsplit_once('.')?;
    let is_signed_with = |bytes: &[u8]| {
        let key = DecodingKey::from_secret(bytes);
        verify(signature, signed.as_bytes(), &key, Algorithm::HS256).unwrap_or(false)
    };
    let with_kid = key.kid.as_ref().map(|kid| format!("{kid}={secret}"));
    let text = |text: String| Some(text.into_bytes());
    let mistakes = [
        (
            Some(Vec::new()),
            "an empty one; is `ORDER_KEY` set where the shop's backend runs?",
        ),
        (
            with_kid.map(String::into_bytes),
            "the whole text `KID=SECRET`; the secret is only what follows the first `=`",
        ),
        (
            text(format!("{secret}\n")),
            "the secret with a line break at its end; remove it, such as with `trim`",
        ),
        (
            text(format!("{secret}\r\n")),
            "the secret with a line break at its end; remove it, such as with `trim`",
        ),
        (
            text(format!("\"{secret}\"")),
            "the secret with quotes around it; remove them",
        ),
        (
            BASE64.decode(secret).ok(),
            "the bytes that the secret has in Base64; sign with its text, without decoding it",
        ),
    ];
    let mut mistakes = mistakes.into_iter();
    mistakes.find_map(|(bytes, mistake)| is_signed_with(&bytes?).then_some(mistake))
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{EncodingKey, Header, encode};
    use serde_json::json;

    use super::*;

    const SECRET: &str = "bWluZSBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyBvciBtb3Jl";

    #[test]
    fn a_key_that_is_nearly_right_is_recognised() {
        let named = OrderKey::hs256(Some("2026".to_owned()), &SECRET.into());
        for (key, mistake) in [
            (&b""[..], Some("an empty one")),
            (format!("2026={SECRET}").as_bytes(), Some("the whole text")),
            (
                format!("{SECRET}\n").as_bytes(),
                Some("the secret with a line break"),
            ),
            (
                format!("{SECRET}\r\n").as_bytes(),
                Some("the secret with a line break"),
            ),
            (
                format!("\"{SECRET}\"").as_bytes(),
                Some("the secret with quotes"),
            ),
            (
                b"mine is a secret of 32 bytes or more",
                Some("the bytes that the secret has in Base64"),
            ),
            (b"another secret", None),
        ] {
            let key = EncodingKey::from_secret(key);
            let order = encode(&Header::default(), &json!({}), &key).unwrap();
            let found = other_key(&named, &order);
            match mistake {
                Some(mistake) => assert!(found.unwrap().starts_with(mistake), "{found:?}"),
                None => assert_eq!(found, None),
            }
        }
    }
}
