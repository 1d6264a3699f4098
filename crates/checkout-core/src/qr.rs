//! QR codes (ISO/IEC 18004), as a drawing.

use std::fmt::Write as _;

use qrcodegen::QrCodeEcc;

/// A QR code as one path of an SVG, whose unit is a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrCode {
    /// Modules on each side, the quiet zone included.
    pub size: i32,
    /// The dark modules, row by row: `M4 4h7v1h-7z...`.
    pub path: String,
}

/// Light modules that a code needs on each side to be found.
const QUIET_ZONE: i32 = 4;

impl QrCode {
    /// The code of `text`, byte for byte. It bears the loss of 15 % of itself, or more where that
    /// makes it no larger.
    ///
    /// `None` for more than a code can hold, some 2300 bytes.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        // Bytes, always: the denser modes for digits and capitals would not make a code of
        // addresses smaller, and weigh as much again.
        let code = qrcodegen::QrCode::encode_binary(text.as_bytes(), QrCodeEcc::Medium).ok()?;
        let mut path = String::new();
        for y in 0..code.size() {
            let mut x = 0;
            while x < code.size() {
                let run = (x..code.size())
                    .take_while(|x| code.get_module(*x, y))
                    .count();
                let run = i32::try_from(run).unwrap_or_default();
                if run > 0 {
                    let (left, top) = (x + QUIET_ZONE, y + QUIET_ZONE);
                    // Writing to a string can't fail.
                    let _ = write!(path, "M{left} {top}h{run}v1h-{run}z");
                }
                x += run.max(1);
            }
        }
        Some(Self {
            size: code.size() + 2 * QUIET_ZONE,
            path,
        })
    }
}
