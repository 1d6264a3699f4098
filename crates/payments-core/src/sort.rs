//! The order in which payments are shown. The service offers none but its own, so the others apply to the payments that are
//! loaded.

use tender_protocol::Payment;

/// The order of the payments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The service's order: newest first.
    #[default]
    Newest,
    /// The reverse of it.
    Oldest,
    /// By the price in US dollars, highest first. Amounts of different tokens can't be compared.
    Highest,
    /// By the price in US dollars, lowest first.
    Lowest,
}

impl Sort {
    /// All orders, as in the menu.
    pub const ALL: [Self; 4] = [Self::Newest, Self::Oldest, Self::Highest, Self::Lowest];

    /// Sorts payments that are in the service's order. Those without a price in US dollars come last if that is compared.
    pub fn apply(self, payments: &mut [&Payment]) {
        match self {
            Self::Newest => {}
            Self::Oldest => payments.reverse(),
            Self::Highest => payments.sort_by(|one, other| other.price_usd.cmp(&one.price_usd)),
            Self::Lowest => {
                payments.sort_by_key(|payment| (payment.price_usd.is_none(), &payment.price_usd));
            }
        }
    }
}
