//! The amount that a buyer has to send.

use tender_protocol::Amount;

/// One value for the display, the clipboard and whatever else carries the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountToSend {
    /// What to send.
    pub amount: Amount,
    /// Why it is not what the service asked for, where it is not.
    pub rounding: Option<Rounding>,
}

/// The service asked for more fractional digits than the token has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// What the service asked for.
    pub asked: Amount,
    /// Fractional digits of the token.
    pub decimals: u8,
}

impl AmountToSend {
    /// The amount as asked for, rounded up only where the token can't carry its digits. With
    /// unknown decimals it stays as it is.
    #[must_use]
    pub fn new(asked: Amount, decimals: Option<u8>) -> Self {
        if let Some(decimals) = decimals
            && let (amount, true) = asked.round_up(decimals)
        {
            return Self {
                amount,
                rounding: Some(Rounding { asked, decimals }),
            };
        }
        Self {
            amount: asked,
            rounding: None,
        }
    }
}
