//! Warnings about settings that are valid but risky.

use super::open_files::too_few_files;
use crate::config::{Config, is_loopback};

/// What `--check` warns of. Each text is a sentence without its full stop.
#[must_use]
pub fn warnings(config: &Config) -> Vec<String> {
    let server = &config.server;
    let is_hidden = server.listen.ip().is_loopback() && server.trusted_proxies == 0;
    let shared = is_hidden.then(|| {
        "`listen` is a loopback address, so buyers can only come through a server on this machine, and \
         share the limits of one address; set `trusted_proxies` to the number of your servers in front"
            .to_owned()
    });
    let risks = too_few_files(config).into_iter().chain(shared);
    risks.chain(config.contradictions()).collect()
}

/// Logs settings that contradict each other, or that are fine in a demo but risky in production.
pub(super) fn log_risks(config: &Config) {
    for warning in config.contradictions() {
        tracing::warn!("{warning}");
    }
    if config.upstream.test_mode {
        tracing::warn!(
            "test mode: the pages say that no real money moves, and ask buyers not to send any"
        );
    }
    if config.orders.allow_unsigned {
        tracing::warn!("unsigned orders are allowed: pages set their own price");
    }
    if config
        .server
        .allow_origins
        .iter()
        .any(|origin| origin == "*")
    {
        tracing::warn!("pages of any origin are allowed");
    }
    for address in [&config.upstream.base_url, &config.upstream.rates_base_url] {
        let host = address.host_str().unwrap_or_default();
        if address.scheme() == "http" && !is_loopback(host) {
            tracing::warn!(%address, "the connection to the service is not encrypted");
        }
    }
}
