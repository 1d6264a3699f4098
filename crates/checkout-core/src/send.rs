//! The amount to send.

use tender_protocol::Amount;

/// One value for display, clipboard, QR code and wallets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountToSend {
    /// The amount to send.
    pub amount: Amount,
    /// Set if the amount was rounded.
    pub rounding: Option<Rounding>,
}

/// The service's amount has more fractional digits than the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// The service's amount.
    pub asked: Amount,
    /// The token's decimals.
    pub decimals: u8,
}

impl AmountToSend {
    /// The service's amount, rounded up if it has more fractional digits than the token. With unknown decimals, it is
    /// unchanged.
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
