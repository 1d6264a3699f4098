//! A configuration that was read, and what changed since it was read before.

use std::collections::BTreeMap;
use std::fmt;

use super::Config;

/// The settings that a running proxy can replace: keys and credentials.
const REPLACEABLE: [&str; 6] = [
    "merchant_key",
    "notify_secret",
    "order_key",
    "receipt_key",
    "upstream_header",
    "webhook_secret",
];

/// A configuration with the values that it was parsed from.
#[derive(Clone)]
pub struct LoadedConfig {
    /// The configuration.
    pub config: Config,
    /// The values of each setting, those in files included, as flags.
    pub(super) flags: BTreeMap<String, Vec<String>>,
}

/// A setting whose values differ. It does not contain them, because they may be secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The setting.
    pub setting: String,
    /// How many values it had.
    pub before: usize,
    /// How many values it has now.
    pub now: usize,
    /// Whether a running proxy can apply the change; if not, it must be restarted.
    pub is_replaceable: bool,
}

impl LoadedConfig {
    /// The settings that have changed since `earlier`.
    #[must_use]
    pub fn changes_since(&self, earlier: &Self) -> Vec<Change> {
        let settings = self.flags.iter();
        let changes = settings.filter_map(|(setting, now)| {
            let before = earlier.flags.get(setting)?;
            (before != now).then(|| Change {
                setting: setting.clone(),
                before: before.len(),
                now: now.len(),
                is_replaceable: REPLACEABLE.contains(&setting.as_str()),
            })
        });
        changes.collect()
    }

    /// Keeps the values of `running` for the settings that need a restart, so that a later
    /// comparison still finds them changed.
    pub fn keep_unapplied(&mut self, running: &Self) {
        for (setting, values) in &running.flags {
            if !REPLACEABLE.contains(&setting.as_str()) {
                self.flags.insert(setting.clone(), values.clone());
            }
        }
    }
}

/// Does not show the values of settings, because some are secret.
impl fmt::Debug for LoadedConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.config.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn read(settings: &[(&str, &str)]) -> LoadedConfig {
        Settings::of_tests(settings).read().unwrap()
    }

    #[test]
    fn changes_are_named_and_counted() {
        let key = "a key of the tests, 32 characters or more";
        let before = read(&[("order_key", key), ("max_creates", "3")]);
        let now = read(&[
            ("order_key", &format!("{key}\na={key}")),
            ("first_page", "0"),
        ]);
        let change = |setting: &str, before, now, is_replaceable| Change {
            setting: setting.to_owned(),
            before,
            now,
            is_replaceable,
        };
        assert_eq!(
            now.changes_since(&before),
            [
                change("first_page", 0, 1, false),
                change("max_creates", 1, 0, false),
                change("order_key", 1, 2, true),
            ]
        );
        assert_eq!(now.changes_since(&now), []);
    }

    #[test]
    fn a_change_that_needs_a_restart_is_found_until_then() {
        let key = "a key of the tests, 32 characters or more";
        let started = read(&[("max_creates", "3")]);
        let mut running = read(&[("order_key", key), ("max_creates", "4")]);
        running.keep_unapplied(&started);
        let again = read(&[("order_key", key), ("max_creates", "4")]);
        let changes = again.changes_since(&running);
        let settings: Vec<_> = changes.iter().map(|change| &*change.setting).collect();
        assert_eq!(settings, ["max_creates"]);
        let reverted = read(&[("order_key", key), ("max_creates", "3")]);
        assert_eq!(reverted.changes_since(&running), []);
    }

    #[test]
    fn every_replaceable_setting_is_declared() {
        let loaded = read(&[]);
        for setting in REPLACEABLE {
            assert!(loaded.flags.contains_key(setting), "{setting}");
        }
    }
}
