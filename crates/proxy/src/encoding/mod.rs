//! Content negotiation: content is stored in several encodings, and each request gets the first one
//! that it accepts (RFC 9110, section 12.5.3).

mod compress;
pub(crate) mod content;

use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, VARY};
use axum::http::{HeaderMap, HeaderValue};

pub(crate) use compress::{compressed, compressed_for};

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// In order of preference.
    pub(crate) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
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

    /// Whether an `Accept-Encoding` header with this value accepts the encoding.
    pub(crate) fn is_accepted(self, accept: &str) -> bool {
        let mut any = false;
        for offer in accept.split(',') {
            let (name, parameters) = offer.split_once(';').unwrap_or((offer, ""));
            let accepted = !is_zero(parameters);
            match name.trim() {
                name if name.eq_ignore_ascii_case(self.name()) => return accepted,
                "*" => any = accepted,
                _ => {}
            }
        }
        any
    }
}

/// Content, uncompressed and compressed.
pub(crate) struct Encoded<T> {
    plain: T,
    /// In order of preference.
    compressed: Vec<(Encoding, T)>,
}

/// The content that a request gets.
pub(crate) struct Negotiated<'a, T> {
    pub(crate) content: &'a T,
    encoding: Option<Encoding>,
}

impl<T> Encoded<T> {
    /// Stores the encodings for which `compressed` returns content.
    pub(crate) fn new(plain: T, compressed: impl Fn(Encoding) -> Option<T>) -> Self {
        let compressed = |encoding| Some((encoding, compressed(encoding)?));
        Self {
            plain,
            compressed: Encoding::ALL.into_iter().filter_map(compressed).collect(),
        }
    }

    /// The uncompressed content.
    pub(crate) fn plain(&self) -> &T {
        &self.plain
    }

    /// The same encodings of other content.
    pub(crate) fn map<U>(self, change: impl Fn(T) -> U) -> Encoded<U> {
        let compressed = self.compressed.into_iter();
        Encoded {
            plain: change(self.plain),
            compressed: (compressed.map(|(encoding, content)| (encoding, change(content))))
                .collect(),
        }
    }

    /// Selects the encoding by the `Accept-Encoding` header. Without one, the content is
    /// uncompressed.
    pub(crate) fn negotiate(&self, request: &HeaderMap) -> Negotiated<'_, T> {
        let accept = accepted(request);
        let mut compressed = self.compressed.iter();
        let chosen = compressed.find(|(encoding, _)| encoding.is_accepted(accept));
        Negotiated {
            content: chosen.map_or(&self.plain, |(_, content)| content),
            encoding: chosen.map(|(encoding, _)| *encoding),
        }
    }
}

impl<T> Negotiated<'_, T> {
    /// Adds `Content-Encoding` and `Vary`.
    pub(crate) fn add_headers(&self, answer: &mut HeaderMap) {
        answer.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(encoding) = self.encoding {
            answer.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
    }
}

/// The `Accept-Encoding` header, or nothing.
fn accepted(request: &HeaderMap) -> &str {
    let accept = request.get(ACCEPT_ENCODING);
    let accept = accept.and_then(|value| value.to_str().ok());
    accept.unwrap_or_default()
}

/// Whether the weight is `q=0`.
fn is_zero(parameters: &str) -> bool {
    let weight = parameters.trim().strip_prefix(['q', 'Q']);
    let weight = weight.and_then(|rest| rest.trim_start().strip_prefix('='));
    weight.is_some_and(|weight| weight.trim().parse() == Ok(0.0))
}
