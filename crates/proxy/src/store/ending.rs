//! How a payment has ended.

use crate::store::database::{Error, Result};

/// How a payment has ended, in ascending order of certainty: money may arrive for a closed payment,
/// and a paid one stays paid. The column `ending` has these names in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// No money should be sent any more.
    Closed,
    Paid,
}

impl Ending {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Paid => "paid",
        }
    }

    pub(crate) fn parse(text: Option<&str>) -> Result<Option<Self>> {
        Ok(match text {
            None => None,
            Some("closed") => Some(Self::Closed),
            Some("paid") => Some(Self::Paid),
            Some(other) => {
                return Err(Error::Unreadable(format!("unknown ending {other}")));
            }
        })
    }
}
