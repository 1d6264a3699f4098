//! The widget's form as HTML, for the first paint: the widget's own components, rendered for a page's attributes and the
//! token listing.

pub(crate) mod hosted;

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use parking_lot::Mutex;
use tender_checkout::render;
use tender_checkout_core::config::DISPLAYED;
use tender_checkout_core::{Config, ConfigError, Failure};
use tender_protocol::Listing;

use crate::encoding::content::Content;
use crate::encoding::{Encoded, compressed};

/// The number of rendered forms that are kept. They are for one listing, and differ by their attributes.
const MAX_FORMS: usize = 128;

/// The most that the accepted tokens of a listing may have to be rendered, in bytes. They usually have less than 4 KB.
const MAX_LISTING: usize = 64 << 10;

/// A rendered form and its listing, uncompressed and compressed. It contains nothing secret, so its compressed size reveals
/// nothing (BREACH).
pub(crate) type Form = Encoded<Content>;

/// Renders forms, and keeps them while the listing stays the same.
#[derive(Default)]
pub(crate) struct Renderer(Mutex<Cache>);

#[derive(Default)]
struct Cache {
    listing: Bytes,
    forms: HashMap<Attributes, Arc<Form>>,
}

/// The values of the attributes in [`DISPLAYED`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attributes([Option<String>; DISPLAYED.len()]);

impl Attributes {
    /// Takes the attributes from this map. Others are ignored.
    pub(crate) fn from(mut values: HashMap<String, String>) -> Self {
        Self(DISPLAYED.map(|name| values.remove(name)))
    }

    fn config(&self) -> Result<Config, ConfigError> {
        let values = || DISPLAYED.iter().zip(&self.0);
        Config::displayed(|name| {
            let (_, value) = values().find(|(other, _)| **other == name)?;
            value.clone()
        })
    }
}

/// Why there is no form.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoForm {
    /// An attribute is missing or invalid.
    #[error(transparent)]
    Attributes(#[from] ConfigError),
    /// The accepted tokens have more than [`MAX_LISTING`].
    #[error("the accepted tokens of the listing have more than {MAX_LISTING} bytes")]
    TooLong,
    /// The listing is not UTF-8.
    #[error("the listing is not UTF-8")]
    NotText,
    /// The listing can't be read, or offers no token.
    #[error("{}", .0.message)]
    Listing(Failure),
}

impl Renderer {
    /// The form, if it is kept.
    pub(crate) fn kept(&self, attributes: &Attributes, listing: &Bytes) -> Option<Arc<Form>> {
        let cache = self.0.lock();
        let form = (cache.listing == *listing).then(|| cache.forms.get(attributes))?;
        form.map(Arc::clone)
    }

    /// Renders and compresses the form, and keeps it. This blocks the thread for up to some milliseconds.
    pub(crate) fn render(
        &self,
        attributes: Attributes,
        listing: &Bytes,
    ) -> Result<Arc<Form>, NoForm> {
        let html = Bytes::from(html(attributes.config()?, listing)?);
        let form = Arc::new(compressed(&html).map(Content::from));
        self.0.lock().keep(attributes, listing, Arc::clone(&form));
        Ok(form)
    }
}

impl Cache {
    fn keep(&mut self, attributes: Attributes, listing: &Bytes, form: Arc<Form>) {
        if self.listing != *listing || self.forms.len() >= MAX_FORMS {
            self.forms.clear();
            self.listing = listing.clone();
        }
        self.forms.insert(attributes, form);
    }
}

/// The form, and behind it the listing's accepted tokens, from which the module starts. Others are left out, because a listing
/// may have thousands.
fn html(config: Config, listing: &Bytes) -> Result<String, NoForm> {
    let listing = str::from_utf8(listing).map_err(|_| NoForm::NotText)?;
    let listing = Listing::accepted_json(listing).map_err(|error| NoForm::Listing(error.into()))?;
    if listing.len() > MAX_LISTING {
        return Err(NoForm::TooLong);
    }
    // In valid JSON there is a `<` only in texts. Without one, the content can't end the script element, nor begin a comment.
    let embedded = listing.replace('<', "\\u003c");
    let form = render::form(config, listing).map_err(NoForm::Listing)?;
    Ok(format!(
        "{form}<script type=\"application/json\">{embedded}</script>"
    ))
}
