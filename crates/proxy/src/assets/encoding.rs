//! Which of a file's encodings a client takes (RFC 9110, section 12.5.3).

/// A content coding that files may be stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// In the order of preference.
    pub(crate) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// What a file's name ends with.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    /// Whether an `Accept-Encoding` of this value takes it.
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

/// Whether the weight is `q=0`.
fn is_zero(parameters: &str) -> bool {
    let weight = parameters.trim().strip_prefix(['q', 'Q']);
    let weight = weight.and_then(|rest| rest.trim_start().strip_prefix('='));
    weight.is_some_and(|weight| weight.trim().parse() == Ok(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_taken_when_it_is_named_with_a_weight() {
        let takes = |accept| Encoding::ALL.map(|encoding| encoding.is_accepted(accept));
        assert_eq!(takes("gzip, deflate, br, zstd"), [true, true]);
        assert_eq!(takes("gzip;q=0.5, BR ; q=1.0"), [true, true]);
        assert_eq!(takes("br;q=0, gzip"), [false, true]);
        assert_eq!(takes("br; q=0.000"), [false, false]);
        assert_eq!(takes("*"), [true, true]);
        assert_eq!(takes("*, br;q=0"), [false, true]);
        assert_eq!(takes("*;q=0, gzip"), [false, true]);
        assert_eq!(takes("identity"), [false, false]);
        assert_eq!(takes("xbr, gzipped"), [false, false]);
        assert_eq!(takes(""), [false, false]);
    }
}
