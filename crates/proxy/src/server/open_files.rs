//! The system's limit of open files. Each connection is an open file.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::config::Config;

/// Reserved for other files: the database, logs, metrics, the runtime, idle connections to the
/// service.
const RESERVED: usize = 100;

const FILES: Resource = Resource::RLIMIT_NOFILE;

/// Raises the soft limit of the process as far as needed and possible.
pub(super) fn raise_limit(config: &Config) {
    let raised = getrlimit(FILES).and_then(|(now, allowed)| {
        let wanted = needed(config).min(allowed);
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
pub(super) fn too_few_files(config: &Config) -> Option<String> {
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
