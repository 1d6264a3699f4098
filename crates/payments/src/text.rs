//! The texts of the element, made of `crates/payments/locales/en.json`. That folder has one file per language.

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

impl Text {
    /// The text for this number of things: some texts have a singular.
    ///
    /// Languages with more plural forms use a wording that needs none, such as "payments: 3".
    #[must_use]
    pub const fn for_count(self, count: usize) -> Self {
        match self {
            _ if count != 1 => self,
            Self::SearchHint => Self::SearchHintOne,
            Self::Found => Self::FoundOne,
            Self::NothingFound => Self::NothingFoundOne,
            Self::Searching => Self::SearchingOne,
            Self::SearchedInVain => Self::SearchedInVainOne,
            Self::NewPayments => Self::NewPaymentsOne,
            Self::Unreadable => Self::UnreadableOne,
            Self::CancelSelected => Self::CancelSelectedOne,
            Self::CancelTitleMany => Self::CancelTitle,
            Self::CancelFailures => Self::CancelFailuresOne,
            Self::DaysHint => Self::DaysHintOne,
            Self::LinkDays => Self::LinkDaysOne,
            text => text,
        }
    }
}
