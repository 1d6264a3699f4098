//! Compresses once what many requests get.

use std::io::{self, Write as _};

use axum::body::Bytes;
use brotli::CompressorWriter;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Encoded, Encoding};

/// How long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Milliseconds: somebody waits for it.
    Quick,
    /// For a long listing seconds, some 70 times as long as [`Effort::Quick`]; a fifth is gained by it.
    Best,
}

/// The header that a compressed answer has more than a plain one.
const HEADER: usize = "content-encoding: gzip\r\n".len();

/// In each encoding that makes the answer shorter. Call it where it holds nobody up.
pub(crate) fn compressed(plain: &Bytes, effort: Effort) -> Encoded<Bytes> {
    let shorter = |encoding: Encoding| {
        // Writing to memory does not fail.
        let compressed = encoding.compress(plain, effort).ok()?;
        (compressed.len() + HEADER < plain.len()).then(|| Bytes::from(compressed))
    };
    Encoded::new(plain.clone(), shorter)
}

impl Effort {
    /// Of 11. Of a token listing of 2,000 records 6 to 9 gain less than 1 % over 5.
    fn brotli(self) -> i32 {
        match self {
            Self::Quick => 5,
            Self::Best => 11,
        }
    }

    fn gzip(self) -> Compression {
        match self {
            Self::Quick => Compression::default(),
            Self::Best => Compression::best(),
        }
    }
}

impl Encoding {
    fn compress(self, plain: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => {
                let settings = BrotliEncoderParams {
                    quality: effort.brotli(),
                    size_hint: plain.len(),
                    ..BrotliEncoderParams::default()
                };
                let mut encoder = CompressorWriter::with_params(Vec::new(), 4096, &settings);
                encoder.write_all(plain)?;
                Ok(encoder.into_inner())
            }
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), effort.gzip());
                encoder.write_all(plain)?;
                encoder.finish()
            }
        }
    }
}
