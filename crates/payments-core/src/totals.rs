//! The sums of the prices of payments. Payments of different states are never added up.

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
    /// What the proxy says that their status means.
    State(PaymentState),
    /// The proxy doesn't say what their status means, so it is not interpreted.
    Status(Status),
}

/// The states with a sum, in this order. Of closed payments nothing is to be expected.
const SUMMED: [PaymentState; 5] = [
    PaymentState::Paid,
    PaymentState::Pending,
    PaymentState::Underpaid,
    PaymentState::Open,
    PaymentState::Unknown,
];

/// A sum of prices in the same token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSum {
    /// The token, as the service names it, in upper case.
    pub token: String,
    /// The exact sum.
    pub amount: Amount,
}

impl TotalGroup {
    fn of(payment: &Payment) -> Self {
        match payment.state {
            Some(state) => Self::State(state),
            None => Self::Status(payment.status.clone()),
        }
    }
}

/// The sums of the prices: of the payments in each state but closed, and of those in each status that the proxy doesn't
/// interpret. Groups without payments are left out.
#[must_use]
pub fn totals<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Vec<Total> {
    let payments: Vec<_> = payments.into_iter().collect();
    let statuses = statuses(payments.iter().copied());
    let groups = SUMMED.into_iter().map(TotalGroup::State);
    let groups = groups.chain(statuses.into_iter().map(TotalGroup::Status));
    let totals = groups.map(|group| {
        let members = payments.iter().copied();
        let members = members.filter(|payment| TotalGroup::of(payment) == group);
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
