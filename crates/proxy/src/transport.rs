//! What sends the proxy's requests: to the payment service, and to the shop's backend.

use reqwest::redirect::Policy;
use reqwest::{Client, Request, Response};
use tender_protocol::client::failure::causes;

use crate::config::Config;

/// Sends requests over the network. Redirects are not followed, and TLS is verified with the system's certificates.
#[derive(Clone)]
pub(crate) enum Transport {
    Network(Client),
    /// To the actors of a simulation.
    #[cfg(test)]
    Simulated(std::sync::Arc<dyn Simulated>),
}

/// What answers requests in a simulation.
#[cfg(test)]
pub(crate) trait Simulated: Send + Sync {
    fn answer(
        &self,
        request: Request,
    ) -> futures_util::future::BoxFuture<'_, Result<Response, Failure>>;
}

/// The two transports of a proxy.
pub(crate) struct Transports {
    pub(crate) service: Transport,
    pub(crate) shop: Transport,
}

/// Why there is no response. The text does not show the URL, which may contain a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Nothing was sent.
    #[error("{0}")]
    NoConnection(String),
    #[error("{0}")]
    Timeout(String),
    #[error("{0}")]
    ConnectionLost(String),
}

impl Transports {
    /// # Errors
    /// TLS can't be set up, and what to do.
    pub(crate) fn new(config: &Config) -> Result<Self, String> {
        let failed = |error: reqwest::Error| {
            let causes = causes(&error);
            format!("can't set up TLS ({causes}); are the system's CA certificates installed?")
        };
        let client = || {
            // A proxy of the environment would see the credentials.
            let client = Client::builder().redirect(Policy::none()).no_proxy();
            client.user_agent(concat!("tender-proxy/", env!("CARGO_PKG_VERSION")))
        };
        let upstream = &config.upstream;
        let service = client()
            .connect_timeout(upstream.connect_timeout)
            .timeout(upstream.timeout);
        let shop = client().timeout(config.notifications.timeout);
        Ok(Self {
            service: Transport::Network(service.build().map_err(failed)?),
            shop: Transport::Network(shop.build().map_err(failed)?),
        })
    }
}

impl Transport {
    pub(crate) async fn send(&self, request: Request) -> Result<Response, Failure> {
        match self {
            Self::Network(client) => Ok(client.execute(request).await?),
            #[cfg(test)]
            Self::Simulated(network) => network.answer(request).await,
        }
    }
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        let (connect, timeout) = (error.is_connect(), error.is_timeout());
        let causes = causes(&error.without_url());
        match (connect, timeout) {
            (true, _) => Self::NoConnection(causes),
            (false, true) => Self::Timeout(causes),
            (false, false) => Self::ConnectionLost(causes),
        }
    }
}
