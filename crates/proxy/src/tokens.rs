//! The token listing, cached for all buyers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use moka::future::Cache as Fetches;
use parking_lot::RwLock;
use tender_checkout_core::asset::AssetInfo;
use tender_protocol::record::map_elements;
use tender_protocol::test_mode::marked;
use tender_protocol::{Token, TokenCode};
use tokio::task::spawn_blocking;

use crate::clock::Instant;
use crate::encoding::Encoded;
use crate::service::ServiceError;
use crate::shared::Shared;

/// How long a request waits for a new listing if there is an old one.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long after a failed fetch an old listing is served without another fetch.
const PAUSE: Duration = Duration::from_secs(5);

/// Caches the listing. Requests that arrive during a fetch wait for it and share its result. An
/// error is not cached for later requests. If the service fails, or lists no token that a payment
/// accepts, the last usable listing is served, up to a certain age.
#[derive(Clone)]
pub(crate) struct Tokens {
    shared: Arc<Shared>,
    /// The fetch in progress. Its result is not kept.
    fetches: Fetches<(), Arc<Encoded>>,
    /// The last listing that was fetched.
    known: Arc<RwLock<Known>>,
}

pub(crate) struct Served {
    /// It contains nothing from a request, so its compressed size reveals nothing (BREACH).
    pub(crate) listing: Arc<Encoded>,
    /// Its age, if a newer one should have been fetched and could not be.
    pub(crate) stale: Option<Duration>,
}

#[derive(Default)]
struct Known {
    listing: Option<(Instant, Arc<Encoded>)>,
    /// Whether it has a token that a payment accepts.
    is_usable: bool,
    /// The decimals that it states.
    decimals: HashMap<TokenCode, u8>,
    failed: Option<Instant>,
}

impl Tokens {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        Self {
            shared: Arc::clone(shared),
            fetches: Fetches::builder().time_to_live(Duration::ZERO).build(),
            known: Arc::default(),
        }
    }

    pub(crate) async fn listing(&self) -> Result<Served, Arc<ServiceError>> {
        match self.served() {
            Some(known) if known.stale.is_some() => Ok(self.newer_or(known).await),
            Some(known) => Ok(known),
            None => self.fetched().await,
        }
    }

    /// The decimals of a token, if they are known: as the last listing states them, or as everybody knows them.
    pub(crate) fn decimals(&self, token: &TokenCode) -> Option<u8> {
        let listed = self.known.read().decimals.get(token).copied();
        listed.or_else(|| Some(AssetInfo::of(token)?.decimals))
    }

    /// Whether a listing is known or can be fetched. Without a cache, none needs to be known.
    pub(crate) async fn ready(&self) -> Result<(), Arc<ServiceError>> {
        if self.shared.config.upstream.token_cache.is_zero() || self.served().is_some() {
            return Ok(());
        }
        self.listing().await.map(drop)
    }

    /// Fetches a listing in place of an old one. Requests don't wait long for it, and not at all
    /// shortly after a failed fetch.
    async fn newer_or(&self, stale: Served) -> Served {
        let failed = self.known.read().failed;
        if failed.is_none_or(|failed| failed.elapsed() >= PAUSE) {
            let cache = self.clone();
            // Continues if the request does not wait for it.
            let fetch = tokio::spawn(async move { cache.fetched().await });
            if let Ok(Ok(Ok(newer))) = tokio::time::timeout(PATIENCE, fetch).await {
                return newer;
            }
        }
        self.shared.metrics.stale_token_listings.inc();
        stale
    }

    /// The last listing, unless it is too old.
    fn served(&self) -> Option<Served> {
        let settings = &self.shared.config.upstream;
        let ttl = settings.token_cache;
        // Without a cache, nothing is kept.
        let max_age = (!ttl.is_zero()).then_some(settings.token_stale.max(ttl))?;
        let known = self.known.read();
        let (fetched, listing) = known.listing.as_ref()?;
        let age = fetched.elapsed();
        (age < max_age).then(|| Served {
            listing: Arc::clone(listing),
            stale: (age >= ttl).then_some(age),
        })
    }

    /// Fetches a listing, or waits for the fetch that is in progress.
    async fn fetched(&self) -> Result<Served, Arc<ServiceError>> {
        let fetched = self.fetches.try_get_with((), self.fetch_and_note());
        Ok(Served {
            listing: fetched.await?,
            stale: None,
        })
    }

    async fn fetch_and_note(&self) -> Result<Arc<Encoded>, ServiceError> {
        let fetched = self.fetch().await;
        let now = Instant::now();
        let mut known = self.known.write();
        match &fetched {
            Ok((listing, tokens)) => {
                self.shared.metrics.tokens_fetched();
                let decimals = tokens
                    .iter()
                    .filter_map(|token| Some((token.token.clone(), token.decimals?)));
                *known = Known {
                    listing: Some((now, Arc::clone(listing))),
                    is_usable: !tokens.is_empty(),
                    decimals: decimals.collect(),
                    failed: None,
                }
            }
            Err(error) => {
                if known.listing.is_some() && known.failed.is_none() {
                    tracing::warn!(%error, "can't fetch the token listing; serving the last one");
                }
                known.failed = Some(now);
            }
        }
        fetched.map(|(listing, _)| listing)
    }

    /// Fetches a listing. Also returns its tokens that a payment accepts. One without is passed on only
    /// if no better one is known.
    async fn fetch(&self) -> Result<(Arc<Encoded>, Vec<Token>), ServiceError> {
        let Shared {
            service, config, ..
        } = &*self.shared;
        // Pages learn the mode from the listing, before there is a payment.
        let mark = |token: &str| marked(token, config.upstream.test_mode);
        let json = map_elements(service.tokens().await?, mark)?;
        let accepted = Token::accepted(&json).unwrap_or_default();
        if accepted.is_empty() && self.served().is_some() && self.known.read().is_usable {
            return Err(ServiceError::Unusable(
                "the token listing has no usable token any more",
            ));
        }
        let plain = Bytes::from(json);
        let copy = plain.clone();
        let listing = spawn_blocking(move || Encoded::compressed(&copy)).await;
        let listing = listing.unwrap_or_else(|error| {
            tracing::error!(%error, "can't compress the token listing");
            Encoded::new(plain, |_| None)
        });
        Ok((Arc::new(listing), accepted))
    }
}
