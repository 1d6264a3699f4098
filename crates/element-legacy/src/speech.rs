//! What is said, in the language of the element that says it.

use std::cell::{Cell, RefCell};

use js_sys::Promise;
use leptos::prelude::Owner;
use tender_client::text;
use tender_client::{Wording, Words};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use crate::dom::{El, el};
use crate::focus::Attended;
use crate::scope::{self, Scope};
use crate::{Kept, Live, host, task};

/// The words of an element.
#[derive(Clone, Copy)]
pub struct Speech {
    /// `None` while they are on their way.
    words: Live<Option<Words>>,
    learning: Kept<Learning>,
}

/// How the words are learnt.
struct Learning {
    /// Counts the words that there were.
    edition: Cell<u32>,
    /// The language asked for last, and the shop's own texts with it.
    asked: RefCell<Option<(String, Option<String>)>>,
    /// What is learnt ends with it.
    owner: Owner,
}

impl Speech {
    /// Says nothing yet. Must be called under the element's own [`Owner`].
    pub(crate) fn new() -> Self {
        Self {
            words: Live::new(None),
            learning: Kept::new(Learning {
                edition: Cell::new(0),
                asked: RefCell::default(),
                owner: Owner::current().unwrap_or_default(),
            }),
        }
    }

    /// Speaks another language, or what the page has set itself in `texts`: English, which is built in, at once,
    /// another one when its texts are here. Until then the words stay as they are. After the element is gone this
    /// does nothing.
    pub(crate) fn speak(self, host: HtmlElement, language: String, texts: Option<Promise>) {
        let Some(learning) = self.learning.get() else {
            return;
        };
        let own = host
            .get_attribute("texts")
            .filter(|json| !json.trim().is_empty());
        let asked = Some((language, own));
        if learning.asked.replace(asked.clone()) == asked {
            return;
        }
        let Some(texts) = texts else {
            return self.learn(&host, asked, Ok(None));
        };
        learning.owner.with(|| {
            task::spawn(Box::pin(async move {
                let texts = JsFuture::from(texts).await.map(|text| text.as_string());
                self.learn(&host, asked, texts);
            }));
        });
    }

    /// Speaks what was asked for, unless it is something else by now.
    fn learn(
        self,
        host: &HtmlElement,
        asked: Option<(String, Option<String>)>,
        texts: Result<Option<String>, JsValue>,
    ) {
        let learning = self.learning.get();
        let Some(learning) = learning.filter(|now| *now.asked.borrow() == asked) else {
            return;
        };
        let Some((language, own)) = asked else { return };
        let words = match texts {
            Ok(texts) => Words::read(&language, texts.as_deref(), own.as_deref())
                .map_err(|error| error.to_string()),
            Err(_) => Err(format!("the texts of `{language}` can't be loaded")),
        };
        let words = words.unwrap_or_else(|error| {
            host::warn(host, &[format!("{error}; English is spoken")]);
            Words::english()
        });
        learning.edition.set(learning.edition.get() + 1);
        self.words.set(Some(words));
    }

    /// Which words are spoken: with others it is another number. `None` while they are on their way.
    /// Follows them.
    fn edition(self) -> Option<u32> {
        let is_known = self.words.read(Option::is_some);
        let edition = self.learning.get()?.edition.get();
        is_known.then_some(edition)
    }

    fn read(self, read: fn(&Words) -> &str) -> Option<String> {
        self.words
            .read(|words| words.as_ref().map(|words| read(words).to_owned()))
    }
}

/// What an element says, in its language and its direction: one view for each scene, made anew with each language.
/// Nothing is said before the language is known, else one would see two: until then there is the `skeleton`.
/// `has_focus` says whether the focus is in what this replaces.
#[must_use]
pub fn spoken<Scene: Copy + PartialEq + 'static>(
    speech: Speech,
    has_focus: bool,
    skeleton: Scene,
    scene: impl Fn() -> Scene + 'static,
    view: impl Fn(Scene) -> Option<El> + 'static,
) -> El {
    let attended = Kept::new(Cell::new(has_focus));
    let attend = move |_| {
        if let Some(attended) = attended.get() {
            attended.set(true);
        }
    };
    let scope = Scope {
        speech,
        attended: Attended(attended),
    };
    let build = move || {
        el("div")
            .class("speech")
            .live_attr("lang", move || speech.read(Words::language))
            .live_attr("dir", move || speech.read(Words::direction))
            .on("focusin", attend)
            .on("click", attend)
            .live_children(
                move || match speech.edition() {
                    None => (skeleton, None),
                    edition => (scene(), edition),
                },
                move |(scene, _)| view(*scene),
            )
    };
    scope::within(Some(scope), build)
}

/// The text.
pub fn say(text: impl Wording) -> String {
    find(text.key()).unwrap_or_else(|| text.english().to_owned())
}

/// The text with this key, where the language has one. Compiled once for all kinds of texts.
fn find(key: &str) -> Option<String> {
    let words = scope::current()?.speech.words;
    words.read(|words| words.as_ref()?.find(key))
}

/// The text with its places filled in.
pub fn fill(text: impl Wording, values: &[(&str, &str)]) -> String {
    text::fill(&say(text), values)
}
