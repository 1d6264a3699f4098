//! Search and filter. The service offers neither, so they apply to the payments that are loaded.

use tender_protocol::{Payment, Status};

/// What the merchant searches for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Text that a payment must contain, ignoring case; empty matches every payment.
    pub text: String,
    /// The status that a payment must have; `None` matches every status.
    pub status: Option<Status>,
}

impl Filter {
    /// Whether the filter matches every payment.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.status.is_none()
    }

    /// Whether the payment matches.
    #[must_use]
    pub fn matches(&self, payment: &Payment) -> bool {
        let has_status = |status: &Status| *status == payment.status;
        self.status.as_ref().is_none_or(has_status) && self.text_matches(payment)
    }

    fn text_matches(&self, payment: &Payment) -> bool {
        let wanted = self.text.trim().to_lowercase();
        if wanted.is_empty() {
            return true;
        }
        let contains = |text: &str| text.to_lowercase().contains(&wanted);
        let texts = [
            payment.invoice_number.as_deref(),
            payment.purchase_email.as_deref(),
            payment.purchase_name.as_deref(),
            payment.item_number.as_deref(),
            payment.created_at.as_deref(),
            Some(&*payment.transaction_id),
            Some(&*payment.wallet),
            Some(&*payment.token),
            Some(&*payment.payment_token),
            Some(payment.status.text()),
        ];
        let amounts = [
            Some(&payment.quantity),
            Some(&payment.quantity_pay),
            payment.price_usd.as_ref(),
        ];
        texts.into_iter().flatten().any(contains)
            || amounts
                .into_iter()
                .flatten()
                .any(|amount| contains(&amount.to_string()))
    }
}

/// The distinct statuses of the payments, ordered by `statusId` (a number in a string). The order
/// does not depend on which payments are loaded, so a status keeps its position and its colour.
#[must_use]
pub fn statuses<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Vec<Status> {
    let mut statuses = Vec::new();
    for payment in payments {
        if !statuses.contains(&payment.status) {
            statuses.push(payment.status.clone());
        }
    }
    statuses.sort_by_cached_key(|status| (status.id().len(), status.id().to_owned()));
    statuses
}
