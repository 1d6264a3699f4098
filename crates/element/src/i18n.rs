//! Texts in the element's language.
//!
//! Each element has an enum of texts (`build/texts.rs`) and one locale file per language, a JSON object of texts by
//! key. English is built into the module, the other files are fetched by the loader. A shop can replace single texts by the
//! `texts` attribute.

use leptos::prelude::*;
use tender_protocol::{Record, RecordError};

/// Languages that are written from right to left.
const RIGHT_TO_LEFT: [&str; 4] = ["ar", "fa", "he", "ur"];

/// A text's key in the locale files, and the text in English, which is built in.
#[derive(Clone, Copy, Debug)]
pub struct TextEntry {
    /// The key.
    pub key: &'static str,
    /// The text in English.
    pub english: &'static str,
}

/// A text: a variant of the element's enum.
pub trait TextKey: Copy + 'static {
    /// Its key, and the text in English.
    fn entry(self) -> TextEntry;
}

impl TextKey for TextEntry {
    fn entry(self) -> TextEntry {
        self
    }
}

/// The texts of a locale file, by key.
#[derive(Clone, Debug, Default)]
pub struct Texts(Record);

impl Texts {
    /// Reads a JSON object. Values that are not strings are ignored.
    ///
    /// # Errors
    /// When `json` is not an object.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Record::parse(json, "a JSON object of texts").map(Self)
    }

    /// The text with this key.
    pub fn get(&self, key: &str) -> Option<String> {
        self.0.string(key)
    }
}

/// A language and its texts.
#[derive(Clone, Debug)]
pub struct Locale {
    tag: String,
    /// The shop's own texts first, then those of the language. A text that neither has is shown in English.
    texts: Vec<Texts>,
}

impl Locale {
    /// The locale with the BCP 47 tag `tag`; `texts` are searched in order.
    pub fn new(tag: impl Into<String>, texts: Vec<Texts>) -> Self {
        Self {
            tag: tag.into(),
            texts,
        }
    }

    /// English, without changes by the shop.
    pub fn english() -> Self {
        Self::new("en", Vec::new())
    }

    /// The BCP 47 tag.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The text direction: `rtl` or `ltr`.
    pub fn dir(&self) -> &'static str {
        let language = self.tag.split('-').next().unwrap_or_default();
        if RIGHT_TO_LEFT.contains(&language) {
            "rtl"
        } else {
            "ltr"
        }
    }

    /// The text with this key, where the locale has it.
    pub fn get(&self, key: &str) -> Option<String> {
        self.texts.iter().find_map(|texts| texts.get(key))
    }
}

/// The texts of one element in its current locale. A `Copy` handle: capture it where async code or an event handler needs
/// it, as the context is only there while components are created.
#[derive(Clone, Copy, Debug)]
pub struct I18n {
    /// `None` until the first locale file has arrived.
    locale: RwSignal<Option<Locale>>,
}

impl I18n {
    /// Texts that are not loaded yet. The signal belongs to the current owner.
    #[expect(
        clippy::new_without_default,
        reason = "the value depends on the current owner"
    )]
    pub fn new() -> Self {
        Self {
            locale: RwSignal::new(None),
        }
    }

    /// Whether the locale is loaded. Until then components show no text, so that the language does not change in front of
    /// the buyer.
    pub fn is_loaded(self) -> bool {
        self.with_locale(|locale| locale.is_some())
    }

    /// The text, in English where the locale lacks it.
    pub fn t(self, text: impl TextKey) -> String {
        self.find(text.entry())
    }

    /// The text as a signal.
    pub fn signal(self, text: impl TextKey) -> Signal<String> {
        let text = text.entry();
        Signal::derive(move || self.find(text))
    }

    /// The text with its `{name}` placeholders filled in. A placeholder without a value becomes empty.
    pub fn format(self, text: impl TextKey, values: &[(&str, &str)]) -> String {
        fill_placeholders(&self.find(text.entry()), values)
    }

    /// The BCP 47 tag of the texts.
    pub fn locale(self) -> String {
        self.with_locale(|locale| {
            locale.map_or_else(|| "en".to_owned(), |locale| locale.tag.clone())
        })
    }

    /// The text direction: `rtl` or `ltr`.
    pub fn dir(self) -> &'static str {
        self.with_locale(|locale| locale.map_or("ltr", Locale::dir))
    }

    /// Subscribes the current effect to changes of the texts.
    pub fn track(self) {
        self.locale.track();
    }

    /// Changes the locale. Does nothing once the element is unmounted.
    pub fn set_locale(self, locale: Locale) {
        self.locale.try_set(Some(locale));
    }

    fn find(self, text: TextEntry) -> String {
        let own = self.with_locale(|locale| locale?.get(text.key));
        own.unwrap_or_else(|| text.english.to_owned())
    }

    /// Reads the locale; `None` once the element is unmounted.
    fn with_locale<T>(self, read: impl Fn(Option<&Locale>) -> T) -> T {
        self.locale
            .try_with(|locale| read(locale.as_ref()))
            .unwrap_or_else(|| read(None))
    }
}

/// The texts of the current element.
///
/// # Panics
/// Outside of an element's components.
pub fn use_i18n() -> I18n {
    expect_context()
}

/// Replaces each `{name}` by its value, or by nothing.
fn fill_placeholders(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = values.iter().find(|(placeholder, _)| *placeholder == name);
        out.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}
