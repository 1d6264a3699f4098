//! The texts of the element, made of `crates/payments/locales/en.json`. That folder has one file per language.

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

impl Text {
    /// The text for this number of things: some texts have a singular.
    ///
    /// Languages with more plural forms use a wording that needs none, such as "payments: 3".
    #[must_use]
    pub(crate) const fn for_count(self, count: usize) -> Self {
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

// As the rest of this package, it is only built for the page.
#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use tender_element::TextKey;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::Text;

    fn english(text: Text) -> &'static str {
        text.entry().english
    }

    /// A new text with a number needs a singular, or has to be added to the exceptions here.
    #[wasm_bindgen_test]
    fn each_text_with_a_number_has_a_singular() {
        // These show a bare number, or are never shown for one.
        let only_many = [Text::Export, Text::CancelProgress, Text::Attempts];
        for text in Text::ALL.iter().filter(|text| !only_many.contains(text)) {
            let has_number = ["{count}", "{pages}"].map(|place| english(*text).contains(place));
            let one = english(text.for_count(1));
            if has_number.contains(&true) {
                assert_ne!(one, english(*text), "{text:?}");
                assert!(
                    !one.contains("{count}") && !one.contains("{pages}"),
                    "{one}"
                );
            } else {
                assert_eq!(one, english(*text), "{text:?}");
            }
            for count in [0, 2, 21] {
                assert_eq!(text.for_count(count), *text);
            }
        }
    }
}
