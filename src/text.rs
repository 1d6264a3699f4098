//! What is said, in the language of the element that says it.

use leptos::prelude::*;
use tender_core::text;
pub(crate) use tender_core::text::Text;
use tender_core::words::Words;

/// The words of an element; `None` while they are on their way. Views find it as their context.
#[derive(Clone, Copy)]
pub(crate) struct Speech(pub(crate) RwSignal<Option<Words>>);

/// The text.
pub(crate) fn say(text: Text) -> String {
    match use_context::<Speech>() {
        Some(Speech(words)) => words.with(|words| match words {
            Some(words) => words.say(text),
            None => text.english().to_owned(),
        }),
        None => text.english().to_owned(),
    }
}

/// The text with its places filled in.
pub(crate) fn fill(text: Text, values: &[(&str, &str)]) -> String {
    text::fill(&say(text), values)
}
