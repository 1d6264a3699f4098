//! Limits per client address, and of open event streams. A client that gets no stream polls instead.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use parking_lot::Mutex;
use tender_protocol::ProblemCode;

use crate::config::{Config, Tracking};
use crate::error::{Credential, Error};
use crate::http::{App, Caller, ClientIp};
use crate::rate_limit::RateLimit;

/// Requests in progress of one address.
const MAX_IN_PROGRESS: usize = 100;

/// For so many payments that an address may create, one may be read, and one cancelled. With the default, its requests cost the
/// service 60 calls in the first minute, 20 reads and 20 cancellations, and then half of it.
const READS: u32 = 3;

/// `Retry-After` for an address with too many requests in progress.
const BUSY: Duration = Duration::from_secs(1);

/// Streams of the merchant beside those of buyers, so that receipts can't take them.
const MERCHANT_STREAMS: usize = 32;

pub(crate) struct Limits {
    /// How often an address requests the token listing.
    pub(crate) tokens: RateLimit,
    /// How often an address requests a rendered form: as often as `tokens`, because a page requests both.
    pub(crate) forms: RateLimit,
    /// How often an address asks for the payment of an order: as often, for the same reason.
    pub(crate) orders: RateLimit,
    /// How often an address has a payment read in the service's list, which takes one call once its page is known.
    pub(crate) reads: RateLimit,
    /// How often an address cancels or replaces a payment, which reads it, too, in two pages.
    pub(crate) cancels: RateLimit,
    /// How often the log says that an origin is refused.
    pub(crate) refused_origins: RateLimit,
    create: RateLimit,
    failures: RateLimit,
    streams: Tracking,
    held: Arc<Mutex<Held>>,
}

/// How many permits of each kind are held.
type Held = HashMap<Kind, usize>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// Requests in progress of an address.
    Requests(ClientIp),
    /// Streams of buyers at an address.
    StreamsAt(ClientIp),
    /// Streams of buyers of a payment.
    StreamsOf(String),
    BuyerStreams,
    MerchantStreams,
}

/// Permits one request or stream until it is dropped.
pub(crate) struct Permit {
    held: Arc<Mutex<Held>>,
    kind: Kind,
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            tokens: RateLimit::per_minute(config.limits.tokens),
            forms: RateLimit::per_minute(config.limits.tokens),
            orders: RateLimit::per_minute(config.limits.tokens),
            reads: RateLimit::per_minute(config.limits.create.div_ceil(READS)),
            cancels: RateLimit::per_minute(config.limits.create.div_ceil(READS)),
            refused_origins: RateLimit::per_minute(1),
            create: RateLimit::per_minute(config.limits.create),
            failures: RateLimit::per_minute(config.limits.failures),
            streams: config.tracking.clone(),
            held: Arc::default(),
        }
    }

    /// Permits a stream of one payment to a caller at this address.
    pub(crate) fn stream(&self, caller: &Caller, client: ClientIp) -> Result<Vec<Permit>, Error> {
        let Caller::Buyer(receipt) = caller else {
            return self.merchant_stream();
        };
        let streams = &self.streams;
        let payment = Kind::StreamsOf(receipt.transaction_id.clone());
        let unless_zero = |limit| if limit == 0 { usize::MAX } else { limit };
        let of_payment = unless_zero(streams.max_streams_per_payment);
        let of_address = unless_zero(streams.max_streams_per_address);
        let permits = || {
            Some(vec![
                self.hold(payment, of_payment)?,
                self.hold(Kind::StreamsAt(client), of_address)?,
                self.hold(Kind::BuyerStreams, streams.max_streams)?,
            ])
        };
        permits().ok_or(Error::Problem(ProblemCode::StreamsFull))
    }

    pub(crate) fn merchant_stream(&self) -> Result<Vec<Permit>, Error> {
        // 0 disables streams, those of the merchant too.
        let limit = MERCHANT_STREAMS * self.streams.max_streams.min(1);
        let permit = self.hold(Kind::MerchantStreams, limit);
        Ok(vec![permit.ok_or(ProblemCode::StreamsFull)?])
    }

    /// Takes a permit; `None` if as many of this kind as the limit are held.
    fn hold(&self, kind: Kind, limit: usize) -> Option<Permit> {
        let mut held = self.held.lock();
        let count = held.entry(kind.clone()).or_default();
        if *count >= limit {
            return None;
        }
        *count += 1;
        let held = Arc::clone(&self.held);
        Some(Permit { held, kind })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut held = self.held.lock();
        if let Some(count) = held.get_mut(&self.kind) {
            *count -= 1;
            // So that the kind takes no memory.
            if *count == 0 {
                held.remove(&self.kind);
            }
        }
    }
}

/// The address may create a payment now.
pub(crate) struct CreatePermit(pub(crate) ClientIp);

impl FromRequestParts<Arc<App>> for CreatePermit {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let Ok(client) = ClientIp::from_request_parts(parts, app).await;
        app.limits.create.spend(client)?;
        Ok(Self(client))
    }
}

/// Limits how many requests of an address are in progress, so that one client can't take all
/// connections with slow bodies, and how often it sends wrong credentials of a kind.
/// Right ones are never refused, because strangers may share the address of a shop or of its buyers.
pub(crate) async fn limit_address(
    State(app): State<Arc<App>>,
    client: ClientIp,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let limits = &app.limits;
    let in_progress = limits.hold(Kind::Requests(client), MAX_IN_PROGRESS);
    let in_progress = in_progress.ok_or(Error::TooManyRequests(BUSY))?;
    let response = next.run(request).await;
    drop(in_progress);
    // Of a response to a wrong one.
    if let Some(kind) = response.extensions().get::<Credential>() {
        limits.failures.spend((client, *kind))?;
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn each_kind_has_its_own_permits() {
        let config = Config::new("https://a.invalid", "https://b.invalid").unwrap();
        let limits = Limits::new(&config);
        let client = ClientIp::from(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let at = || limits.hold(Kind::StreamsAt(client), 2);
        let first = at().unwrap();
        let _second = at().unwrap();
        assert!(at().is_none());
        let other = limits.hold(Kind::Requests(client), 2).unwrap();
        drop(first);
        assert!(at().is_some());
        drop(other);
        assert_eq!(limits.held.lock().len(), 1);
    }
}
