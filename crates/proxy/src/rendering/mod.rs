//! The widget's form as HTML, for the first paint: the widget's own components, rendered for a page's attributes and the
//! token listing.

pub(crate) mod hosted;

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::available_parallelism;

use axum::body::Bytes;
use axum::http::HeaderValue;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tender_checkout::render;
use tender_checkout_core::config::DISPLAYED;
use tender_checkout_core::{Config, ConfigError, Failure};
use tender_protocol::Listing;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use crate::encoding::Encoded;

/// The number of rendered forms that are kept. They differ by their attributes and the listing.
const MAX_FORMS: u64 = 128;

/// The most that the accepted tokens of a listing may have to be rendered, in bytes. They usually have less than 4 KB.
const MAX_LISTING: usize = 64 << 10;

/// Renders forms, and keeps them.
pub(crate) struct Renderer {
    /// Rendered forms by their attributes, and the entity tag of the listing. They contain nothing secret, so their compressed
    /// size reveals nothing (BREACH).
    forms: Cache<(Attributes, HeaderValue), Arc<Encoded>>,
    /// As many as there are cores: more at once take more memory, and are not done earlier.
    permits: Arc<Semaphore>,
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
    /// The listing can't be read, or offers no token.
    #[error("{}", .0.message)]
    Listing(Failure),
    /// The renderer panicked.
    #[error("the form can't be rendered: {0}")]
    Failed(#[from] JoinError),
}

impl Default for Renderer {
    fn default() -> Self {
        let forms = Cache::builder().max_capacity(MAX_FORMS);
        let cores = available_parallelism().map_or(1, Into::into);
        Self {
            forms: forms.eviction_policy(EvictionPolicy::lru()).build(),
            permits: Arc::new(Semaphore::new(cores)),
        }
    }
}

impl Renderer {
    /// The form. One that is not kept is rendered once for all who wait for it.
    pub(crate) async fn form(
        &self,
        attributes: Attributes,
        listing: &Encoded,
    ) -> Result<Arc<Encoded>, Arc<NoForm>> {
        let key = (attributes.clone(), listing.etag().clone());
        let rendered = async {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            let listing = listing.plain().clone();
            let render = move || {
                // It is held to the end, even if the client is gone earlier.
                let _permit = permit;
                render(&attributes, &listing)
            };
            spawn_blocking(render).await?.map(Arc::new)
        };
        self.forms.try_get_with(key, rendered).await
    }
}

/// Renders and compresses the form. This blocks the thread for up to some milliseconds.
pub(crate) fn render(attributes: &Attributes, listing: &Bytes) -> Result<Encoded, NoForm> {
    let html = html(attributes.config()?, listing)?;
    Ok(Encoded::compressed(&Bytes::from(html)))
}

/// The form, and behind it the listing's accepted tokens, from which the module starts. Others are left out, because a listing
/// may have thousands.
fn html(config: Config, listing: &Bytes) -> Result<String, NoForm> {
    let listing = String::from_utf8_lossy(listing);
    let listing =
        Listing::accepted_json(&listing).map_err(|error| NoForm::Listing(error.into()))?;
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
