//! Search and filter. The service offers neither, so they apply to the payments that are loaded.

use std::collections::BTreeSet;

use tender_protocol::{Date, Payment, PaymentState, Status};

/// What the merchant searches for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Text that a payment must contain, ignoring case; empty matches every payment.
    pub text: String,
    /// What the status of a payment must mean; `None` matches every payment.
    pub state: Option<PaymentState>,
    /// The status that a payment must have; `None` matches every status.
    pub status: Option<Status>,
    /// The token that a payment must be paid in, as the service names it; `None` matches every token.
    pub payment_token: Option<String>,
    /// The first day of creation, as `YYYY-MM-DD`; empty matches every day.
    pub from: String,
    /// The last day of creation, as `YYYY-MM-DD`; empty matches every day.
    pub to: String,
}

impl Filter {
    /// Whether the filter matches every payment.
    pub fn is_empty(&self) -> bool {
        let Self {
            text,
            state,
            status,
            payment_token,
            from,
            to,
        } = self;
        let texts = [text.trim(), from, to];
        let is_any = state.is_none() && status.is_none() && payment_token.is_none();
        is_any && texts.iter().all(|text| text.is_empty())
    }

    /// Whether the payment matches.
    pub fn matches(&self, payment: &Payment) -> bool {
        let has_status = |status: &Status| *status == payment.status;
        let has_token = |token: &String| *token == payment.payment_token;
        let has_state = |state| payment.state == Some(state);
        self.state.is_none_or(has_state)
            && self.status.as_ref().is_none_or(has_status)
            && self.payment_token.as_ref().is_none_or(has_token)
            && self.day_matches(payment)
            && self.text_matches(payment)
    }

    /// A payment without a readable date matches only if no day is asked for.
    fn day_matches(&self, payment: &Payment) -> bool {
        if self.from.is_empty() && self.to.is_empty() {
            return true;
        }
        let day = payment.created_at.as_deref().and_then(Date::parse);
        let day = day.map(Date::iso);
        day.is_some_and(|day| day >= self.from && (self.to.is_empty() || day <= self.to))
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

/// What the statuses of the payments mean, from open to closed.
pub fn states<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Vec<PaymentState> {
    let mut states: Vec<_> = payments
        .into_iter()
        .filter_map(|payment| payment.state)
        .collect();
    states.sort_unstable();
    states.dedup();
    states
}

/// The distinct statuses of the payments, ordered by `statusId` (a number in a string). The order
/// does not depend on which payments are loaded, so a status keeps its position and its colour.
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

/// The distinct tokens that the payments are to be paid in, as the service names them, in alphabetical order.
pub fn payment_tokens<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Vec<String> {
    let tokens = payments.into_iter().map(|payment| &payment.payment_token);
    let tokens: BTreeSet<_> = tokens.collect();
    tokens.into_iter().cloned().collect()
}
