//! The sums of the prices of payments. Payments of different states are never added up.

use std::collections::BTreeMap;

use tender_protocol::{Amount, Payment, PaymentState, Status};

use crate::filter::statuses;

/// The sum of the prices of payments in the same group and the same token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// What these payments have in common.
    pub group: TotalGroup,
    /// The token, as the service names it, in upper case.
    pub token: String,
    /// The exact sum.
    pub amount: Amount,
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

impl TotalGroup {
    fn of(payment: &Payment) -> Self {
        match payment.state {
            Some(state) => Self::State(state),
            None => Self::Status(payment.status.clone()),
        }
    }
}

/// The sums of the prices: of the payments in each state but closed, and of those in each status that the proxy doesn't
/// interpret. Those of a group are in the order of the tokens' codes.
pub fn totals<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Vec<Total> {
    let payments: Vec<_> = payments.into_iter().collect();
    let statuses = statuses(payments.iter().copied());
    let groups = SUMMED.into_iter().map(TotalGroup::State);
    let groups = groups.chain(statuses.into_iter().map(TotalGroup::Status));
    let totals = groups.flat_map(|group| {
        let mut sums = BTreeMap::<_, Amount>::new();
        for payment in &payments {
            if TotalGroup::of(payment) == group {
                let sum = sums.entry(payment.token.to_uppercase()).or_default();
                *sum = sum.plus(&payment.quantity);
            }
        }
        sums.into_iter().map(move |(token, amount)| Total {
            group: group.clone(),
            token,
            amount,
        })
    });
    totals.collect()
}
