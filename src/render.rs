//! The form as HTML: the same components, rendered by the proxy for the first paint.

use std::collections::HashMap;
use std::sync::LazyLock;

use leptos::prelude::*;
use rust_embed::RustEmbed;
use tender_checkout_core::{Config, Event, Failure, HttpResponse, State, step};
use tender_element::focus::FocusRestoration;
use tender_element::i18n::{I18n, Locale, Texts};

use crate::components::Checkout;
use crate::driver::Driver;
use crate::text::ENGLISH;

#[derive(RustEmbed)]
#[folder = "locales"]
struct Files;

/// The texts of each language except English, which the components have, by its BCP 47 tag in lower case.
static TEXTS: LazyLock<HashMap<String, Texts>> = LazyLock::new(|| {
    let texts = |name: &str| {
        let json = String::from_utf8(Files::get(name)?.data.into_owned());
        Texts::parse(&json.ok()?).ok()
    };
    let language = |name: &str| Some((name.strip_suffix(".json")?.to_owned(), texts(name)?));
    let mut languages: HashMap<_, _> = Files::iter().filter_map(|name| language(&name)).collect();
    languages.remove("en");
    languages
});

/// The HTML of the form that a page with this configuration and this token listing (JSON) shows at first, in the language of
/// `config.locale`. Texts and attributes are escaped.
///
/// # Errors
/// [`Failure`] if the listing can't be read, or offers no token.
pub fn form(config: Config, listing: String) -> Result<String, Failure> {
    let fetched = Ok(HttpResponse {
        status: 200,
        body: listing,
    });
    let (state, _) = step(&config, State::default(), Event::TokensFetched(fetched));
    if let State::Unavailable(_, failure) = state {
        return Err(failure);
    }
    Ok(Owner::new().with(|| {
        let i18n = I18n::new(&ENGLISH);
        i18n.set_locale(locale(config.locale.as_deref().unwrap_or_default()));
        provide_context(i18n);
        provide_context(FocusRestoration::new(false));
        provide_context(Driver::of_state(i18n, config, state));
        view! { <Checkout/> }.to_html()
    }))
}

/// The best available locale, found as the loader does (`crates/element/loader/i18n.js`): `fr-CA`, then `fr`.
fn locale(wanted: &str) -> Locale {
    let wanted = wanted.to_ascii_lowercase();
    let mut tag = wanted.as_str();
    loop {
        if let Some(texts) = TEXTS.get(tag) {
            return Locale::new(tag, vec![texts.clone()]);
        }
        match tag.rsplit_once('-') {
            Some((parent, _)) => tag = parent,
            None => return Locale::english(),
        }
    }
}
