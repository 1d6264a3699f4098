//! The sums of the prices of payments. Payments that were paid, that are open, and that are closed are never added up.

use tender_protocol::{Amount, Payment, PaymentState, Status};

use crate::filter::statuses;

/// The payments that belong together, and the sums of their prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// What these payments have in common.
    pub group: TotalGroup,
    /// One sum for each token in which they are priced, in the order of the tokens' codes.
    pub sums: Vec<TokenSum>,
}

/// What payments have in common whose prices are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TotalGroup {
    /// The proxy says that they are paid.
    Paid,
    /// The proxy says that they are neither paid nor closed.
    Open,
    /// The proxy doesn't say what their status means, so it is not interpreted.
    Status(Status),
}

/// A sum of prices in the same token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSum {
    /// The token, as the service names it, in upper case.
    pub token: String,
    /// The exact sum.
    pub amount: Amount,
}

impl TotalGroup {
    /// The group of a payment; `None` if it is neither paid nor open.
    fn of(payment: &Payment) -> Option<Self> {
        match payment.state {
            Some(PaymentState::Paid) => Some(Self::Paid),
            Some(PaymentState::Open) => Some(Self::Open),
            Some(
                PaymentState::Pending
                | PaymentState::Underpaid
                | PaymentState::Closed
                | PaymentState::Unknown,
            ) => None,
            None => Some(Self::Status(payment.status.clone())),
        }
    }
}

/// The sums of the prices: of the payments that are paid, of those that are open, and of those in each status that the
/// proxy doesn't interpret, in this order. Closed payments are left out, and so are groups without payments.
#[must_use]
pub fn totals<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Vec<Total> {
    let payments: Vec<_> = payments.into_iter().collect();
    let statuses = statuses(payments.iter().copied());
    let groups = [TotalGroup::Paid, TotalGroup::Open].into_iter();
    let groups = groups.chain(statuses.into_iter().map(TotalGroup::Status));
    let totals = groups.map(|group| {
        let members = payments.iter().copied();
        let members = members.filter(|payment| TotalGroup::of(payment).as_ref() == Some(&group));
        Total {
            sums: token_sums(members),
            group,
        }
    });
    totals.filter(|total| !total.sums.is_empty()).collect()
}

fn token_sums<'a>(payments: impl Iterator<Item = &'a Payment>) -> Vec<TokenSum> {
    let mut sums: Vec<TokenSum> = Vec::new();
    for payment in payments {
        let token = payment.token.to_uppercase();
        match sums.binary_search_by(|sum| sum.token.cmp(&token)) {
            Ok(at) => {
                if let Some(sum) = sums.get_mut(at) {
                    sum.amount = sum.amount.plus(&payment.quantity);
                }
            }
            Err(at) => sums.insert(
                at,
                TokenSum {
                    token,
                    amount: payment.quantity.clone(),
                },
            ),
        }
    }
    sums
}
