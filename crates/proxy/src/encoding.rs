//! Content in several encodings: each request gets the first one that it accepts (RFC 9110, section 12.5.3), unless the
//! client has it already (section 13).
//!
//! Content that many requests get is compressed once. The window of Brotli's compressor is small, so that the memory of many
//! responses at once is bounded; tower-http's layer has no setting for it.

use std::io::{self, Write as _};

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Brotli's quality (0 to 11) and window (the logarithm of its size in bytes). Higher qualities take many times as
/// long and make a token listing a few per cent smaller; the standard window of 4 MB takes memory for each response.
const QUALITY: u32 = 5;
const WINDOW: u32 = 18;

/// The extra header of a compressed response.
const HEADER: usize = "content-encoding: gzip\r\n".len();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// In order of preference.
    pub(crate) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The file name suffix of a compressed copy.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    fn is_accepted(self, request: &HeaderMap) -> bool {
        let accepted = text(request, ACCEPT_ENCODING);
        let weight = |wanted: &str| {
            let mut offers = offers(&accepted);
            let offer = offers.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            offer.map(|(_, weight)| weight)
        };
        weight(self.name()).or_else(|| weight("*")) > Some(0.0)
    }

    /// The compressed content, if it makes the response shorter.
    fn shorter(self, plain: &Bytes) -> Option<Bytes> {
        // Writing to memory does not fail.
        let compressed = self.compress(plain).ok()?;
        (compressed.len() + HEADER < plain.len()).then(|| Bytes::from(compressed))
    }

    fn compress(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => {
                let mut encoder = CompressorWriter::new(Vec::new(), 4096, QUALITY, WINDOW);
                encoder.write_all(plain)?;
                Ok(encoder.into_inner())
            }
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(plain)?;
                encoder.finish()
            }
        }
    }
}

/// Content, uncompressed and compressed.
pub(crate) struct Encoded {
    plain: Content,
    /// In order of preference.
    compressed: Vec<(Encoding, Content)>,
}

/// Bytes to send, and the entity tag that identifies them (RFC 9110, section 8.8.3).
struct Content {
    bytes: Bytes,
    etag: HeaderValue,
}

impl Encoded {
    /// Stores the encodings for which `compressed` returns content.
    pub(crate) fn new(plain: Bytes, compressed: impl Fn(Encoding) -> Option<Bytes>) -> Self {
        let compressed = |encoding| Some((encoding, compressed(encoding)?.into()));
        Self {
            compressed: Encoding::ALL.into_iter().filter_map(compressed).collect(),
            plain: plain.into(),
        }
    }

    /// Compresses with each encoding that makes the response shorter. This blocks the thread for some
    /// milliseconds if the content is long.
    pub(crate) fn compressed(plain: &Bytes) -> Self {
        Self::new(plain.clone(), |encoding| encoding.shorter(plain))
    }

    pub(crate) fn plain(&self) -> &Bytes {
        &self.plain.bytes
    }

    /// The entity tag of the uncompressed content.
    pub(crate) fn etag(&self) -> &HeaderValue {
        &self.plain.etag
    }

    /// The content in an encoding that the request accepts, with its entity tag, or 304 if the client has it.
    pub(crate) fn response(&self, request: &HeaderMap) -> Response {
        let mut compressed = self.compressed.iter();
        let chosen = compressed.find(|(encoding, _)| encoding.is_accepted(request));
        let content = chosen.map_or(&self.plain, |(_, content)| content);
        let response = if is_among(&text(request, IF_NONE_MATCH), &content.etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            content.bytes.clone().into_response()
        };
        let etag = [(ETAG, content.etag.clone())];
        let encoding = chosen.map(|(encoding, _)| *encoding);
        (etag, with_encoding(response, encoding)).into_response()
    }
}

/// Content of one response, compressed with the encoding that its request prefers.
pub(crate) fn compressed(request: &HeaderMap, plain: &Bytes) -> Response {
    let mut encodings = Encoding::ALL.into_iter();
    let preferred = encodings.find(|encoding| encoding.is_accepted(request));
    match preferred.and_then(|encoding| encoding.shorter(plain)) {
        Some(bytes) => with_encoding(bytes.into_response(), preferred),
        None => with_encoding(plain.clone().into_response(), None),
    }
}

impl From<Bytes> for Content {
    fn from(bytes: Bytes) -> Self {
        // Hexadecimal digits and quotes are valid in a header.
        let etag = HeaderValue::try_from(format!("\"{}\"", fingerprint(&bytes)));
        Self {
            bytes,
            etag: etag.unwrap_or(HeaderValue::from_static("")),
        }
    }
}

/// Tells content from other content: the first 16 bytes of its SHA-256, as hexadecimal digits.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    let digest = digest(&SHA256, bytes);
    let (prefix, _) = digest.as_ref().split_at(16);
    hex::encode(prefix)
}

fn with_encoding(mut response: Response, encoding: Option<Encoding>) -> Response {
    let headers = response.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    response
}

/// The value of a header, in whatever number of lines it came (RFC 9110, section 5.3).
pub(crate) fn text(request: &HeaderMap, name: HeaderName) -> String {
    let lines = request.get_all(name).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    lines.collect::<Vec<_>>().join(",")
}

/// The offers of a header such as `Accept-Encoding`, with their weights (RFC 9110, section 12.4.2): 1 if there is none, 0 if
/// it is invalid.
pub(crate) fn offers(header: &str) -> impl Iterator<Item = (&str, f32)> {
    header.split(',').map(|offer| {
        let (name, parameters) = offer.split_once(';').unwrap_or((offer, ""));
        let mut parameters = parameters.split(';').filter_map(|it| it.split_once('='));
        let weight = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
        let weight = weight.map_or(Ok(1.0), |(_, weight)| weight.trim().parse());
        let weight = weight.ok().filter(|weight| (0.0..=1.0).contains(weight));
        (name.trim(), weight.unwrap_or(0.0))
    })
}

/// Whether an `If-None-Match` header contains this entity tag, compared weakly (RFC 9110, section
/// 13.1.2).
fn is_among(known: &str, etag: &HeaderValue) -> bool {
    known.split(',').map(str::trim).any(|known| {
        known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == etag.as_bytes()
    })
}
