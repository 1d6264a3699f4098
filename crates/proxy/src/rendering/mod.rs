//! The widget's form as HTML, for the first paint: the widget's own components, rendered for a page's attributes and the
//! token listing.

pub(crate) mod hosted;
pub(crate) mod shop_page;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::thread::available_parallelism;

use axum::body::Bytes;
use axum::http::HeaderValue;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tender_checkout::render;
use tender_checkout_core::config::displayed;
use tender_checkout_core::{Config, ConfigError, Failure};
use tender_protocol::Token;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use self::shop_page::{Inline, ShopPage};
use crate::encoding::{Encoded, fingerprint};

/// The number of rendered forms that are kept. They differ by their attributes and the listing.
const MAX_FORMS: u64 = 128;

/// The most that the accepted tokens of a listing may have to be rendered, in bytes. They usually have less than 4 KB.
const MAX_LISTING: usize = 64 << 10;

pub(crate) struct Renderer {
    /// They contain nothing secret, so their compressed size reveals nothing (BREACH).
    forms: Cache<Key, Arc<Encoded>>,
    /// As many as there are cores: more at once take more memory, and are not done earlier.
    permits: Arc<Semaphore>,
}

/// The attributes, how a form in a shop's page brings its styles, and the entity tag of the listing.
type Key = (Attributes, Option<Inline>, HeaderValue);

/// The values of the [`displayed`] attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attributes(BTreeMap<&'static str, String>);

impl Attributes {
    /// Takes the attributes from this map. Others are ignored.
    pub(crate) fn from(mut values: HashMap<String, String>) -> Self {
        let value = |name| Some((name, values.remove(name)?));
        Self(displayed().filter_map(value).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn config(&self) -> Result<Config, ConfigError> {
        Config::displayed(|name| self.get(name).map(str::to_owned))
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum NoForm {
    #[error(transparent)]
    Attributes(#[from] ConfigError),
    /// The accepted tokens have more than [`MAX_LISTING`].
    #[error("the accepted tokens of the listing have more than {MAX_LISTING} bytes")]
    TooLong,
    /// The listing can't be read, or offers no token.
    #[error("{}", .0.message)]
    Listing(Failure),
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
    /// The form, for the loader or for the HTML of a shop's page. One that is not kept is rendered once for all who wait for it.
    pub(crate) async fn form(
        &self,
        attributes: Attributes,
        page: Option<ShopPage>,
        listing: &Encoded,
    ) -> Result<Arc<Encoded>, Arc<NoForm>> {
        let inline = page.as_ref().map(|page| page.inline);
        let key = (attributes.clone(), inline, listing.etag().clone());
        let rendered = async {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            let listing = listing.plain().clone();
            let render = move || {
                // It is held to the end, even if the client is gone earlier.
                let _permit = permit;
                render(&attributes, page, &listing)
            };
            spawn_blocking(render).await?.map(Arc::new)
        };
        self.forms.try_get_with(key, rendered).await
    }
}

/// Renders and compresses the form. This blocks the thread for up to some milliseconds.
pub(crate) fn render(
    attributes: &Attributes,
    page: Option<ShopPage>,
    listing: &Bytes,
) -> Result<Encoded, NoForm> {
    let form = Form::render(attributes.config()?, listing)?;
    let html = match page {
        Some(page) => page.html(attributes, &form)?,
        None => form.html(),
    };
    Ok(Encoded::compressed(&Bytes::from(html)))
}

/// The form that the loader shows, and the listing's accepted tokens, from which the module starts. Others are left out, because
/// a listing may have thousands.
struct Form {
    html: String,
    listing: String,
}

impl Form {
    fn render(config: Config, listing: &Bytes) -> Result<Self, NoForm> {
        let listing = String::from_utf8_lossy(listing);
        let listing =
            Token::accepted_json(&listing).map_err(|error| NoForm::Listing(error.into()))?;
        if listing.len() > MAX_LISTING {
            return Err(NoForm::TooLong);
        }
        let html = render::form(config, listing.clone(), None).map_err(NoForm::Listing)?;
        Ok(Self { html, listing })
    }

    /// The same for forms with the same content. The loader so knows whether the form in a shop's page is the form of now.
    fn fingerprint(&self) -> String {
        fingerprint(format!("{}{}", self.html, self.listing).as_bytes())
    }

    fn html(&self) -> String {
        // In valid JSON there is a `<` only in texts. Without one, the content can't end the script element, nor begin a comment.
        let listing = self.listing.replace('<', "\\u003c");
        let (html, id) = (&self.html, self.fingerprint());
        format!("{html}<script type=\"application/json\" data-form=\"{id}\">{listing}</script>")
    }
}
