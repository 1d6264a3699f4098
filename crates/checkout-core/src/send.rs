//! The amount to send.

use tender_protocol::Amount;

/// One value for display, clipboard, QR code and wallets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountToSend {
    /// The amount to send.
    pub amount: Amount,
    /// The token's decimals, if the amount was rounded up to them.
    pub rounded_to: Option<u8>,
}

impl AmountToSend {
    /// The service's amount, rounded up if it has more fractional digits than the token. With unknown decimals, it is
    /// unchanged.
    pub fn new(asked: Amount, decimals: Option<u8>) -> Self {
        if let Some(decimals) = decimals
            && let (amount, true) = asked.round_up(decimals)
        {
            return Self {
                amount,
                rounded_to: Some(decimals),
            };
        }
        Self {
            amount: asked,
            rounded_to: None,
        }
    }
}
