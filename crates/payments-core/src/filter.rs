//! Search and filter. The service has neither, so they are over what was read, and say so.

use tender_protocol::{Payment, Status};

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// A part of what a payment says, in whatever case; empty for all.
    pub text: String,
    /// One status, as the service words it; `None` for all.
    pub status: Option<Status>,
}

impl Filter {
    /// Whether nothing is looked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.status.is_none()
    }

    /// Whether the payment is one of those that are looked for.
    #[must_use]
    pub fn matches(&self, payment: &Payment) -> bool {
        let is_of_status = |status: &Status| *status == payment.status;
        self.status.as_ref().is_none_or(is_of_status) && self.is_said_by(payment)
    }

    fn is_said_by(&self, payment: &Payment) -> bool {
        let wanted = self.text.trim().to_lowercase();
        if wanted.is_empty() {
            return true;
        }
        let says = |text: &str| text.to_lowercase().contains(&wanted);
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
        texts.into_iter().flatten().any(says)
            || amounts
                .into_iter()
                .flatten()
                .any(|amount| says(&amount.to_string()))
    }
}

/// The statuses that occur, each once, in the order of their ids (a number in a string), so that one keeps its
/// place and its colour whatever is read.
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
