//! Decides whether two create requests belong to the same attempt.

use std::time::Duration;

use aws_lc_rs::digest::{Context, SHA256};
use tender_protocol::CreatePayment;
use tender_protocol::request::SignedOrder;

use crate::clock::{Millis, millis};

/// An `Idempotency-Key`: 1 to [`IdempotencyKey::MAX_LENGTH`] visible ASCII characters or spaces, not only
/// spaces.
#[derive(Clone, Debug)]
pub(crate) struct IdempotencyKey(String);

impl IdempotencyKey {
    pub(crate) const MAX_LENGTH: usize = 255;

    /// A key with this text; `None` if it is not one.
    pub(crate) fn new(text: String) -> Option<Self> {
        let visible = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let is_blank = text.trim().is_empty();
        (visible && !is_blank && (1..=Self::MAX_LENGTH).contains(&text.len())).then_some(Self(text))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a create request asks for.
pub(crate) struct NewAttempt {
    /// The `Idempotency-Key` that the page sent.
    pub(crate) key: Option<IdempotencyKey>,
    /// The order to pay, if the shop has signed one.
    pub(crate) order: Option<Order>,
    pub(crate) payment: CreatePayment,
    /// Payments that this one may replace, because their receipts were sent.
    pub(crate) replaces: Vec<String>,
}

/// A signed order. Its invoice number identifies it, not its signature or price: a shop may sign
/// the order again for each page view. At most one payment per invoice number is open.
pub(crate) struct Order {
    pub(crate) id: String,
    /// Until when its payment can be read, in milliseconds since 1970.
    readable_until: Millis,
    /// What notifications repeat.
    pub(crate) signed: SignedOrder,
}

impl Order {
    /// The order with these claims. Its payment can be read until this time since 1970.
    pub(crate) fn new(signed: SignedOrder, readable_until: Duration) -> Self {
        Self {
            id: invoice_id(&signed.invoice_number),
            readable_until: millis(readable_until),
            signed,
        }
    }

    /// The age until which its attempts are kept at least.
    pub(super) fn kept_until(&self, lag: Millis) -> Millis {
        self.readable_until.saturating_sub(lag)
    }
}

pub(super) fn invoice_id(invoice_number: &str) -> String {
    digest(&[invoice_number])
}

/// Digest of an invoice number as the service lists it.
pub(crate) fn listed_id(invoice_number: &str) -> String {
    invoice_id(&tender_ledger::fold(invoice_number))
}

/// The [`listed_id`]s that an invoice number may have, with spaces between them.
pub(super) fn listed_ids(invoice_number: &str) -> String {
    let forms = tender_ledger::listed_forms(invoice_number);
    let ids: Vec<_> = forms.iter().map(|form| invoice_id(form)).collect();
    ids.join(" ")
}

/// Digest of the whole request. Under one key, only an identical request is a repeat.
pub(super) fn request_digest(payment: &CreatePayment) -> String {
    digest(&[fingerprint_fields(payment), buyer_fields(payment)].concat())
}

/// Digest of everything that identifies the payment: the shop's order and the buyer's token.
/// Requests with the same fingerprint ask for the same payment.
pub(super) fn fingerprint(payment: &CreatePayment) -> String {
    digest(&fingerprint_fields(payment))
}

fn fingerprint_fields(payment: &CreatePayment) -> Vec<&str> {
    let quantity = &payment.quantity;
    vec![
        &payment.invoice_number,
        payment.token.as_str(),
        payment.payment_token.as_str(),
        quantity.integer(),
        quantity.fraction().trim_end_matches('0'),
        payment.item_number.as_deref().unwrap_or_default(),
    ]
}

fn buyer_fields(payment: &CreatePayment) -> Vec<&str> {
    [&payment.purchase_email, &payment.purchase_name]
        .map(|text| text.as_deref().unwrap_or_default())
        .to_vec()
}

pub(super) fn digest(texts: &[&str]) -> String {
    let mut context = Context::new(&SHA256);
    for text in texts {
        // The length of each text is included, so that different lists never have the same bytes.
        context.update(&text.len().to_be_bytes());
        context.update(text.as_bytes());
    }
    hex::encode(context.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_separate_their_texts() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["1:a"]), digest(&["1", "a"]));
        assert_eq!(digest(&["a", ""]), digest(&["a", ""]));
    }
}
