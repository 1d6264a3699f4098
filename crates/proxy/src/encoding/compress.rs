//! Compresses a response body once for many requests.

use std::io::{self, Write as _};

use axum::body::Bytes;
use axum::http::HeaderMap;
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Encoded, Encoding, accepted};

/// Brotli's quality (0 to 11) and window (the logarithm of its size in bytes). Higher qualities take many times as
/// long and make a token listing a few per cent smaller; the standard window of 4 MB takes memory for each response.
const QUALITY: u32 = 5;
const WINDOW: u32 = 18;

/// The extra header of a compressed response.
const HEADER: usize = "content-encoding: gzip\r\n".len();

/// Compresses with each encoding that makes the response shorter. This blocks the thread for some
/// milliseconds if the content is long.
pub(crate) fn compressed(plain: &Bytes) -> Encoded<Bytes> {
    Encoded::new(plain.clone(), |encoding| encoding.shorter(plain))
}

/// Compresses the body of one response with the encoding that its request prefers. Returns the
/// headers to add, and the body.
pub(crate) fn compressed_for(request: &HeaderMap, plain: &Bytes) -> (HeaderMap, Bytes) {
    let accept = accepted(request);
    let mut encodings = Encoding::ALL.into_iter();
    let preferred = encodings.find(|encoding| encoding.is_accepted(accept));
    let encoded = Encoded::new(plain.clone(), |encoding| {
        let is_preferred = Some(encoding) == preferred;
        is_preferred.then(|| encoding.shorter(plain))?
    });
    let chosen = encoded.negotiate(request);
    let mut headers = HeaderMap::new();
    chosen.add_headers(&mut headers);
    (headers, chosen.content.clone())
}

impl Encoding {
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
