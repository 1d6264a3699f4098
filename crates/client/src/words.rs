//! A language to speak, and its texts.

use std::sync::Arc;

use tender_protocol::{Record, RecordError};

use crate::text::Wording;

/// Languages that are written from right to left.
const RIGHT_TO_LEFT: [&str; 4] = ["ar", "fa", "he", "ur"];

/// A language and its texts. English has none here: it is built in.
#[derive(Clone, Debug)]
pub struct Words {
    language: String,
    /// Searched in this order: the shop's own texts, then the language's.
    texts: Arc<[Record]>,
}

impl Words {
    /// Reads the texts of a language, a JSON object of texts by their keys, and those that the
    /// shop has set itself.
    ///
    /// # Errors
    /// [`RecordError`] where one of them is not a JSON object.
    pub fn read(
        language: &str,
        texts: Option<&str>,
        own: Option<&str>,
    ) -> Result<Self, RecordError> {
        let own = own.map(|json| Record::parse(json, "an object of texts, as `texts` takes it"));
        let texts = texts.map(|json| Record::parse(json, "a file of texts"));
        Ok(Self {
            language: language.to_owned(),
            texts: own.into_iter().chain(texts).collect::<Result<_, _>>()?,
        })
    }

    /// English, as it is built in.
    #[must_use]
    pub fn english() -> Self {
        Self {
            language: "en".to_owned(),
            texts: Arc::default(),
        }
    }

    /// The BCP 47 tag.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.language
    }

    /// `rtl` or `ltr`.
    #[must_use]
    pub fn direction(&self) -> &'static str {
        let primary = self.language.split('-').next().unwrap_or_default();
        if RIGHT_TO_LEFT.contains(&primary) {
            "rtl"
        } else {
            "ltr"
        }
    }

    /// The text in this language; in English where it has none.
    #[must_use]
    pub fn say(&self, text: impl Wording) -> String {
        self.find(text.key())
            .unwrap_or_else(|| text.english().to_owned())
    }

    /// The text in this language, where it has one.
    #[must_use]
    pub fn get(&self, text: impl Wording) -> Option<String> {
        self.find(text.key())
    }

    /// As [`get`](Self::get), by the text's key.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<String> {
        self.texts.iter().find_map(|texts| texts.string(key))
    }
}
