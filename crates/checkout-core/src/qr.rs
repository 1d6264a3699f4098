//! QR codes (ISO/IEC 18004) as SVG paths.

use std::fmt::Write as _;

use qrcodegen::QrCodeEcc;

/// A QR code as an SVG path; one unit is one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrCode {
    /// Modules per side, including the quiet zone.
    pub size: i32,
    /// The dark modules, row by row: `M4 4h7v1h-7z...`.
    pub path: String,
}

/// The width of the quiet zone, in modules.
const QUIET_ZONE: i32 = 4;

impl QrCode {
    /// Encodes `text` in byte mode, with an error correction of at least 15 %, and more if the code does not get
    /// larger.
    ///
    /// Returns `None` if the text is longer than about 2300 bytes.
    pub fn of(text: &str) -> Option<Self> {
        // Always uses byte mode: the denser modes would not make a code for an address smaller, but would double the
        // code size.
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
