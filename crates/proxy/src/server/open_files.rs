//! The system's limit of open files. Each connection is an open file.

use crate::config::Config;

/// Reserved for other files: the database, logs, metrics, the runtime, idle connections to the
/// service.
const RESERVED: usize = 100;

/// The system's limit of open files is too low for the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the proxy may need {needed} open files (`max_connections`, `max_creates` and {RESERVED} others), but the \
     system allows only {allowed}; raise its limit (`LimitNOFILE=` in systemd, `ulimit -Hn`) or lower `max_connections`"
)]
pub(super) struct TooFewFiles {
    needed: u64,
    allowed: u64,
}

impl TooFewFiles {
    /// Compares the configuration with the highest limit that the process can set for itself.
    ///
    /// # Errors
    /// The limit is too low.
    pub(super) fn check(config: &Config) -> Result<(), Self> {
        #[cfg(unix)]
        if let Ok((_, allowed)) = limits::get() {
            let needed = needed(config);
            if needed > allowed {
                return Err(Self { needed, allowed });
            }
        }
        Ok(())
    }
}

/// Raises the soft limit of the process as far as needed and possible.
pub(super) fn raise_limit(config: &Config) {
    #[cfg(unix)]
    if let Ok((now, allowed)) = limits::get() {
        let room = needed(config).min(allowed);
        if now < room {
            match limits::set(room, allowed) {
                Ok(()) => {
                    tracing::debug!(before = now, now = room, "raised the limit of open files");
                }
                Err(error) => tracing::warn!(%error, "can't raise the limit of open files"),
            }
        }
    }
    if let Err(too_few) = TooFewFiles::check(config) {
        tracing::warn!("{too_few}");
    }
}

fn needed(config: &Config) -> u64 {
    let connections = config
        .server
        .max_connections
        .saturating_add(config.upstream.max_creates);
    u64::try_from(connections.saturating_add(RESERVED)).unwrap_or(u64::MAX)
}

#[cfg(unix)]
mod limits {
    use nix::errno::Errno;
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    /// The soft limit and the hard limit.
    pub(super) fn get() -> Result<(u64, u64), Errno> {
        getrlimit(Resource::RLIMIT_NOFILE)
    }

    pub(super) fn set(own: u64, most: u64) -> Result<(), Errno> {
        setrlimit(Resource::RLIMIT_NOFILE, own, most)
    }
}
