//! Loads the texts of an element's locale.

use js_sys::Promise;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::host::log_warning;
use crate::i18n::{Locale, Texts};
use crate::mount::ElementContext;

/// The locale that the loader chose, and the promise of its texts. English has none, as it is built in.
#[derive(Clone)]
pub(crate) struct RequestedLocale {
    pub(crate) tag: String,
    pub(crate) texts: Option<Promise>,
}

/// Loads the texts of one element. A `Copy` handle that belongs to the element's owner.
#[derive(Clone, Copy)]
pub(crate) struct LocaleLoader {
    context: ElementContext,
    /// What was requested last: responses to earlier requests are ignored.
    current: StoredValue<Option<Request>>,
}

/// A locale's tag, and the `texts` attribute, which replaces single texts.
type Request = (String, Option<String>);

impl LocaleLoader {
    pub(crate) fn new(context: ElementContext) -> Self {
        Self {
            context,
            current: StoredValue::new(None),
        }
    }

    /// Changes the texts as soon as they are loaded. English is applied at once.
    pub(crate) fn load(self, locale: RequestedLocale) {
        let attribute = self.context.host.attribute("texts");
        let overrides = attribute.filter(|json| !json.trim().is_empty());
        let request = Some((locale.tag.clone(), overrides));
        let before = self.current.try_get_value();
        if before.is_none_or(|before| before == request) {
            return;
        }
        self.current.set_value(request.clone());
        match locale.texts {
            None => self.apply(request, Ok(None)),
            Some(promise) => self.context.tasks.spawn(async move {
                let texts = JsFuture::from(promise).await;
                let texts = texts.map(|text| text.as_string());
                self.apply(request, texts.map_err(drop));
            }),
        }
    }

    /// Applies the texts, unless another locale was requested meanwhile. If they can't be read, English is used.
    fn apply(self, request: Option<Request>, texts: Result<Option<String>, ()>) {
        if self.current.try_get_value() != Some(request.clone()) {
            return;
        }
        let Some((tag, overrides)) = request else {
            return;
        };
        if texts.is_err() {
            // The next `load` tries again.
            self.current.set_value(None);
        }
        let texts = texts.map_err(|()| format!("the texts of `{tag}` can't be loaded"));
        let locale = texts.and_then(|texts| read(tag, texts, overrides));
        let locale = locale.unwrap_or_else(|problem| {
            let warning = format!("{problem}; English is used instead");
            self.context.host.with(|host| log_warning(host, &warning));
            Locale::english()
        });
        self.context.i18n.set_locale(locale);
    }
}

/// The locale with the shop's own texts first, then those of the locale file.
fn read(tag: String, file: Option<String>, overrides: Option<String>) -> Result<Locale, String> {
    let sources = [
        (
            overrides,
            "the `texts` attribute is no JSON object of texts".to_owned(),
        ),
        (file, format!("the texts of `{tag}` are no JSON object")),
    ];
    let texts = sources
        .into_iter()
        .filter_map(|(json, problem)| {
            Some(Texts::parse(&json?).map_err(|error| format!("{problem}: {error}")))
        })
        .collect::<Result<_, _>>()?;
    Ok(Locale::new(tag, texts))
}
