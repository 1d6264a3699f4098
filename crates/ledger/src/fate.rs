//! What is stored of a payment beside its record, and how it changes.

use strum::{EnumString, IntoStaticStr, VariantArray};
use tender_protocol::PaymentState;

use crate::{Meaning, Stage};

/// What is stored of a payment beside its record, as a word: how it has ended, or that money was seen for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum PaymentFate {
    /// It may have ended, so no money should be sent.
    Unknown,
    /// No money should be sent any more.
    Closed,
    /// Money was seen, and waits for its confirmation.
    Pending,
    /// Money was seen, and then the status said that the payment is closed, or new. What became of the money is not known.
    Seen,
    /// Less than the amount has arrived.
    Underpaid,
    /// The money has arrived.
    Paid,
}

/// Money that was seen for a payment of an order, as a word. The merchant has not released the order since.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum OrderMoney {
    /// Some money was seen, maybe not all of it.
    Seen,
    /// All the money has arrived.
    Paid,
}

impl OrderMoney {
    /// What is known of its payment, if nothing else is stored any more.
    pub const fn fate(self) -> PaymentFate {
        match self {
            Self::Seen => PaymentFate::Seen,
            Self::Paid => PaymentFate::Paid,
        }
    }
}

/// What is stored of a payment beside its record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// How it has ended, or that money was seen for it.
    pub fate: Option<PaymentFate>,
    /// The most that was seen for another payment of its order.
    pub order: Option<OrderMoney>,
    /// Whether a mark says that money may have been sent for it.
    pub sent: bool,
}

impl PaymentFate {
    /// The field `state` of the payment's record.
    pub const fn state(self) -> PaymentState {
        match self {
            Self::Unknown | Self::Seen => PaymentState::Unknown,
            Self::Closed => PaymentState::Closed,
            Self::Pending => PaymentState::Pending,
            Self::Underpaid => PaymentState::Underpaid,
            Self::Paid => PaymentState::Paid,
        }
    }

    /// Whether money was seen for the payment. Such a payment is never cancelled, and its order gets no other one.
    pub const fn is_money_seen(self) -> bool {
        self.money().is_some()
    }

    /// The money that was seen for the payment.
    pub const fn money(self) -> Option<OrderMoney> {
        match self {
            Self::Paid => Some(OrderMoney::Paid),
            Self::Pending | Self::Seen | Self::Underpaid => Some(OrderMoney::Seen),
            Self::Unknown | Self::Closed => None,
        }
    }

    /// What is stored once the status of the payment means this. `has_moved`: whether its status was ever another one than
    /// that of its creation.
    #[expect(clippy::match_same_arms, reason = "the first row that applies counts")]
    pub const fn next(stored: Option<Self>, now: Meaning, has_moved: bool) -> Option<Self> {
        Some(match (now, stored) {
            (Meaning::Paid, _) | (_, Some(Self::Paid)) => Self::Paid,
            (Meaning::Underpaid, _) => Self::Underpaid,
            (Meaning::Pending, _) => Self::Pending,
            (_, Some(Self::Underpaid)) => Self::Underpaid,
            (Meaning::Closed | Meaning::Created, Some(Self::Pending)) => Self::Seen,
            (_, Some(Self::Seen)) => Self::Seen,
            (Meaning::Closed, _) => Self::Closed,
            (Meaning::Created, None) if has_moved => Self::Unknown,
            (Meaning::Created | Meaning::NotMapped, stored) => return stored,
        })
    }

    /// What is stored once an attempt with this payment has another stage. `is_changed_back`: whether its status is that of
    /// its creation again, after another one.
    pub fn after_stage<P>(
        stored: Option<Self>,
        [before, after]: [&Stage<P>; 2],
        is_changed_back: bool,
    ) -> Option<Self> {
        match (before, after, stored) {
            (Stage::Created(_), Stage::Cancelling(..), None) => Some(Self::Unknown),
            (Stage::Cancelling(..), Stage::Created(_), Some(Self::Unknown)) => {
                is_changed_back.then_some(Self::Unknown)
            }
            (
                Stage::Created(_) | Stage::Cancelling(..),
                Stage::Ended(_),
                None | Some(Self::Unknown),
            ) => Some(Self::Closed),
            _ => stored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Asked;

    /// For each meaning: what is stored after it, by what was stored before: nothing, or each fate in its order.
    #[test]
    fn what_no_longer_asks_for_money_never_does_again() {
        use PaymentFate::{Closed, Paid, Pending, Seen, Underpaid, Unknown};
        let before = || {
            [None]
                .into_iter()
                .chain(PaymentFate::VARIANTS.iter().copied().map(Some))
        };
        #[rustfmt::skip]
        let table = [
            (Meaning::Created, [Some(Unknown), Some(Unknown), Some(Closed), Some(Seen), Some(Seen), Some(Underpaid), Some(Paid)]),
            (Meaning::Closed, [Some(Closed), Some(Closed), Some(Closed), Some(Seen), Some(Seen), Some(Underpaid), Some(Paid)]),
            (Meaning::Pending, [Some(Pending), Some(Pending), Some(Pending), Some(Pending), Some(Pending), Some(Pending), Some(Paid)]),
            (Meaning::Underpaid, [Some(Underpaid), Some(Underpaid), Some(Underpaid), Some(Underpaid), Some(Underpaid), Some(Underpaid), Some(Paid)]),
            (Meaning::Paid, [Some(Paid); 7]),
        ];
        for (now, after) in table {
            for (before, after) in before().zip(after) {
                assert_eq!(
                    PaymentFate::next(before, now, true),
                    after,
                    "{now:?} {before:?}"
                );
            }
        }
        for stored in before() {
            assert_eq!(PaymentFate::next(stored, Meaning::NotMapped, true), stored);
        }
        assert_eq!(PaymentFate::next(None, Meaning::Created, false), None);
    }

    #[test]
    fn each_fate_has_a_word_and_a_state() {
        for (word, state, is_money_seen) in [
            ("unknown", "unknown", false),
            ("closed", "closed", false),
            ("pending", "pending", true),
            ("seen", "unknown", true),
            ("underpaid", "underpaid", true),
            ("paid", "paid", true),
        ] {
            let fate: PaymentFate = word.parse().unwrap();
            assert_eq!(<&str>::from(fate), word);
            assert_eq!(fate.state().as_str(), state);
            assert_eq!(fate.is_money_seen(), is_money_seen, "{word}");
        }
        assert!("open".parse::<PaymentFate>().is_err());
    }

    #[test]
    fn a_cancellation_changes_what_is_stored() {
        let created = Stage::Created(1);
        let cancelling = Stage::Cancelling(1, Asked::First);
        let ended = Stage::Ended(Some(1));
        let (unknown, closed) = (Some(PaymentFate::Unknown), Some(PaymentFate::Closed));
        #[rustfmt::skip]
        let rows = [
            (&created, &cancelling, None, false, unknown),
            (&cancelling, &cancelling, unknown, false, unknown),
            (&cancelling, &created, unknown, false, None),
            (&cancelling, &created, unknown, true, unknown),
            (&cancelling, &ended, unknown, false, closed),
            (&created, &ended, None, false, closed),
            (&created, &created, None, true, None),
            (&Stage::Requested(Asked::First), &created, None, false, None),
        ];
        for (before, after, stored, is_changed_back, expected) in rows {
            let next = PaymentFate::after_stage(stored, [before, after], is_changed_back);
            assert_eq!(next, expected, "{before:?} {after:?} {stored:?}");
        }
        for stored in PaymentFate::VARIANTS.iter().copied() {
            if stored == PaymentFate::Unknown {
                continue;
            }
            for stages in [
                [&created, &cancelling],
                [&cancelling, &created],
                [&cancelling, &ended],
            ] {
                assert_eq!(
                    PaymentFate::after_stage(Some(stored), stages, true),
                    Some(stored)
                );
            }
        }
    }
}
