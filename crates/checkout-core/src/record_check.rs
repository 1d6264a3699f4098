//! Compares a created payment record with the request that it answers.
//!
//! The service's document does not give the format of `wallet`. If the network's address format is
//! known, only a valid address is shown. Otherwise, any text without invisible characters is shown,
//! as plain text.

use tender_protocol::Payment;

use crate::address::Address;
use crate::asset::AssetInfo;
use crate::choice::{Choice, display_name};
use crate::failure::{Failure, FailureCode};
use crate::hidden::is_invisible;

/// The values that a record must match.
pub(crate) struct Expected<'a> {
    /// The chosen token.
    pub(crate) choice: &'a Choice,
    /// The invoice number of the order.
    pub(crate) invoice_number: &'a str,
    /// Whether the payer chooses the amount, which may be zero then.
    pub(crate) payer_chooses: bool,
}

/// How a record contradicts its request. Texts of the record are escaped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Mismatch {
    #[error("the record's `paymentToken` is {0:?}, not the requested `{1}`")]
    PaymentToken(String, String),
    #[error("the record's `invoiceNumber` is {0:?}, not the order's")]
    InvoiceNumber(String),
    #[error("the record's `wallet` is not an address on {1:?}: {0:?}")]
    Wallet(String, String),
    #[error("the record's `wallet` contains invisible characters: {0:?}")]
    HiddenCharacters(String),
    #[error("the record's `quantityPay` is 0")]
    Amount,
}

impl Expected<'_> {
    /// Checks a record before it is shown.
    ///
    /// # Errors
    /// The first [`Mismatch`].
    pub(crate) fn check(&self, payment: &Payment) -> Result<(), Mismatch> {
        if !self.is_payment_token(&payment.payment_token) {
            let (found, asked) = (&payment.payment_token, self.choice.code.as_str());
            return Err(Mismatch::PaymentToken(found.clone(), asked.to_owned()));
        }
        if let Some(number) = &payment.invoice_number
            && number.trim() != self.invoice_number.trim()
        {
            return Err(Mismatch::InvoiceNumber(number.clone()));
        }
        if payment.quantity_pay.is_zero() && !self.payer_chooses {
            return Err(Mismatch::Amount);
        }
        self.check_wallet(&payment.wallet)
    }

    /// The service returns `paymentToken` in upper case: the code, or the ticker symbol, which
    /// several tokens may share.
    fn is_payment_token(&self, name: &str) -> bool {
        let name = display_name(name.trim());
        name.eq_ignore_ascii_case(self.choice.code.as_str())
            || name.eq_ignore_ascii_case(&self.choice.symbol)
    }

    fn check_wallet(&self, wallet: &str) -> Result<(), Mismatch> {
        match AssetInfo::of(&self.choice.code) {
            Some(asset) if Address::parse(wallet, &asset).is_none() => Err(Mismatch::Wallet(
                wallet.to_owned(),
                self.choice.network.clone(),
            )),
            None if wallet.contains(is_invisible) => {
                Err(Mismatch::HiddenCharacters(wallet.to_owned()))
            }
            _ => Ok(()),
        }
    }
}

impl From<Mismatch> for Failure {
    fn from(mismatch: Mismatch) -> Self {
        Self::new(FailureCode::RecordMismatch, mismatch.to_string())
    }
}
