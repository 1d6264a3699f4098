//! The widget's form as HTML, for the first paint: the widget's own components, rendered for a page's attributes and the
//! token listing.

pub(crate) mod hosted;

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::available_parallelism;

use axum::body::Bytes;
use parking_lot::Mutex;
use tender_checkout::render;
use tender_checkout_core::config::DISPLAYED;
use tender_checkout_core::{Config, ConfigError, Failure};
use tender_protocol::Listing;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

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
pub(crate) struct Renderer {
    cache: Mutex<Cache>,
    /// As many as there are cores: more at once take more memory, and are not done earlier.
    permits: Arc<Semaphore>,
}

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
    /// The renderer panicked.
    #[error("the form can't be rendered: {0}")]
    Failed(#[from] JoinError),
}

impl Default for Renderer {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, Into::into);
        Self {
            cache: Mutex::default(),
            permits: Arc::new(Semaphore::new(cores)),
        }
    }
}

impl Renderer {
    /// The form. One that is not kept is rendered after those that other requests wait for.
    pub(crate) async fn form(
        self: &Arc<Self>,
        attributes: Attributes,
        listing: Bytes,
    ) -> Result<Arc<Form>, NoForm> {
        if let Some(form) = self.kept(&attributes, &listing) {
            return Ok(form);
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let renderer = Arc::clone(self);
        let render = move || {
            // It is held to the end, even if the client is gone earlier.
            let _permit = permit;
            renderer.render(attributes, &listing)
        };
        spawn_blocking(render).await?
    }

    fn kept(&self, attributes: &Attributes, listing: &Bytes) -> Option<Arc<Form>> {
        let cache = self.cache.lock();
        let form = (cache.listing == *listing).then(|| cache.forms.get(attributes))?;
        form.map(Arc::clone)
    }

    /// Renders and compresses the form, unless another request did meanwhile, and keeps it. This blocks the thread for up to
    /// some milliseconds.
    pub(crate) fn render(
        &self,
        attributes: Attributes,
        listing: &Bytes,
    ) -> Result<Arc<Form>, NoForm> {
        if let Some(form) = self.kept(&attributes, listing) {
            return Ok(form);
        }
        let html = Bytes::from(html(attributes.config()?, listing)?);
        let form = Arc::new(compressed(&html).map(Content::from));
        let mut cache = self.cache.lock();
        cache.keep(attributes, listing, Arc::clone(&form));
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
