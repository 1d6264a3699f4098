//! Warnings about settings that are valid but risky.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::config::{Config, Database};
use crate::seen_statuses::SeenStatuses;
use crate::service::MAX_CALLS;
use crate::statuses::mapping;
use crate::store::Store;
use crate::store::database::unverified;

/// Open files that are neither connections of clients nor create requests: calls that cancel and list, connections of the operator,
/// to the database and to the shop, logs, the runtime.
const RESERVED: usize = 2 * MAX_CALLS + 100;

/// The soft limit is raised to this one at most, unless more are needed: some systems refuse a limit without an end.
const MANY: u64 = 10_240;

const FILES: Resource = Resource::RLIMIT_NOFILE;

/// What `--check` warns of. Each text is a sentence without its full stop.
pub(crate) fn warnings(config: &Config) -> Vec<String> {
    let server = &config.server;
    let is_hidden = server.listen.ip().is_loopback() && server.trusted_proxies == 0;
    let shared = is_hidden.then(|| {
        "`listen` is a loopback address, so buyers can only come through a server on this machine, and \
         share the limits of one address; set `trusted_proxies` to the number of your servers in front"
            .to_owned()
    });
    // The log has this one when the connection is opened.
    let unverified = match &config.store.database {
        Database::Postgres(url) => unverified(url).map(str::to_owned),
        _ => None,
    };
    let risks = too_few_files(config).into_iter().chain(shared);
    risks.chain(unverified).chain(config.warnings()).collect()
}

/// Logs settings that contradict each other or have no effect, or that are fine in a demo but risky in production.
pub(super) fn log_risks(config: &Config) {
    for warning in config.warnings() {
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
}

/// Logs the mapped statuses that no stored payment has.
pub(super) async fn log_unmatched(store: &Store, config: &Config) {
    match SeenStatuses::read(store, &mapping(config)).await {
        Ok(seen) => {
            for warning in seen.unmatched(&config.orders) {
                tracing::warn!("{warning}");
            }
        }
        Err(error) => tracing::warn!(%error, "can't compare the statuses of the stored payments"),
    }
}

/// Raises the soft limit of open files as far as the system allows, up to [`MANY`]. Each connection is an open file.
pub(super) fn raise_file_limit(config: &Config) {
    let raised = getrlimit(FILES).and_then(|(now, allowed)| {
        let wanted = needed(config).max(MANY).min(allowed);
        setrlimit(FILES, wanted.max(now), allowed)
    });
    if let Err(error) = raised {
        tracing::warn!(%error, "can't raise the limit of open files");
    }
    if let Some(warning) = too_few_files(config) {
        tracing::warn!("{warning}");
    }
}

/// A warning if the highest limit that the process can set for itself is too low for the configuration.
fn too_few_files(config: &Config) -> Option<String> {
    let (_, allowed) = getrlimit(FILES).ok()?;
    let needed = needed(config);
    (needed > allowed).then(|| {
        format!(
            "the proxy may need {needed} open files (`max_connections`, `max_creates` and {RESERVED} others), but \
             the system allows only {allowed}; raise its limit (`LimitNOFILE=` in systemd, `ulimit -Hn`) or lower \
             `max_connections`"
        )
    })
}

fn needed(config: &Config) -> u64 {
    let connections = config.server.max_connections;
    let files = connections.saturating_add(config.upstream.max_creates);
    u64::try_from(files.saturating_add(RESERVED)).unwrap_or(u64::MAX)
}
