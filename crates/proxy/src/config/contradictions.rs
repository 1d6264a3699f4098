//! Settings that are valid by themselves but contradict each other.

use std::collections::{BTreeMap, BTreeSet};

use super::orders::with_kid;
use super::{Config, ConfigError};

/// The settings with keys that only the proxy and one other program may know.
const KEYS: [&str; 5] = [
    "order_key",
    "receipt_key",
    "merchant_key",
    "webhook_secret",
    "notify_secret",
];

/// An error for each pair of settings that have a key in common. `flags` has the values of each
/// setting as flags.
pub(super) fn shared_keys(flags: &BTreeMap<String, Vec<String>>) -> Vec<ConfigError> {
    let mut purposes = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for setting in KEYS {
        for flag in flags.get(setting).into_iter().flatten() {
            let value = flag.split_once('=').map_or("", |(_, value)| value);
            let key = match setting {
                "order_key" => with_kid(value).1,
                _ => value,
            };
            let first = *purposes.entry(key).or_insert(setting);
            if first != setting {
                pairs.insert((first, setting));
            }
        }
    }
    let shared = |(first, second)| ConfigError::SharedKey { first, second };
    pairs.into_iter().map(shared).collect()
}

impl Config {
    /// Checks what depends on several settings.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        self.notifications.check()?;
        self.orders.check()?;
        let links = &self.payment_links;
        if !links.is_on {
            return Ok(());
        }
        let invalid = |reason: &str| ConfigError::Invalid {
            setting: "payment_links".to_owned(),
            reason: reason.to_owned(),
        };
        self.server.payment_page("").map_err(invalid)?;
        let tokens = links.limits().max_quantity.len();
        if tokens == 0 || tokens != links.max_quantities.len() {
            let reason = "`payment_link_max_quantity` must have one highest price for each token of payment links";
            return Err(invalid(reason));
        }
        Ok(())
    }

    /// What `--check` and the log warn of. Each text is a sentence without its full stop.
    #[must_use]
    pub fn contradictions(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let kids = self.orders.keys.iter().filter_map(|key| key.kid());
        let links = &self.payment_links;
        let kids = kids.chain(links.is_on.then_some(&*links.kid));
        let repeated: BTreeSet<_> = kids.filter(|kid| !seen.insert(*kid)).collect();
        let mut warnings: Vec<_> = repeated
            .into_iter()
            .map(|kid| {
                format!(
                    "more than one key has the kid `{kid}` (`order_key`, `payment_link_kid`), so the log can't \
                     say which one signed an order; give each key its own kid"
                )
            })
            .collect();
        let (streams, connections) = (self.tracking.max_streams, self.server.max_connections);
        if streams >= connections {
            warnings.push(format!(
                "`max_streams` ({streams}) is not below `max_connections` ({connections}), so event streams \
                 can use all connections and block other requests; lower `max_streams` or raise \
                 `max_connections`"
            ));
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{ConfigErrors, Settings};

    const A: &str = "a key of the tests, 32 characters or more";
    const B: &str = "another key of the tests, 32 characters or more";

    #[test]
    fn a_key_has_one_purpose() {
        let hex = "0123456789abcdef0123456789abcdef";
        let order = format!("2026-02={hex}\n{B}");
        let both = format!("{hex}\n{B}");
        for (settings, pairs) in [
            (vec![("order_key", A), ("receipt_key", B)], vec![]),
            (vec![("receipt_key", &*format!("{A}\n{A}"))], vec![]),
            (
                vec![("order_key", &order), ("receipt_key", &both)],
                vec!["`order_key` and `receipt_key`"],
            ),
            (
                vec![("merchant_key", hex), ("webhook_secret", hex)],
                vec!["`merchant_key` and `webhook_secret`"],
            ),
            (
                vec![
                    ("order_key", hex),
                    ("receipt_key", hex),
                    ("merchant_key", hex),
                ],
                vec![
                    "`order_key` and `merchant_key`",
                    "`order_key` and `receipt_key`",
                ],
            ),
        ] {
            let errors = Settings::of_tests(&settings).read();
            let errors = errors.map_or_else(|ConfigErrors(errors)| errors, |_| vec![]);
            let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(errors.len(), pairs.len(), "{settings:?}: {errors:?}");
            for (error, pair) in errors.iter().zip(pairs) {
                assert!(error.starts_with(pair), "{error}");
                assert!(!error.contains(hex), "{error}");
            }
        }
    }

    #[test]
    fn contradictions_are_warned_of() {
        for (settings, warning) in [
            (vec![], None),
            (vec![("order_key", &*format!("{A}\n{B}"))], None),
            (vec![("order_key", &*format!("a={A}\nb={B}"))], None),
            (
                vec![("order_key", &*format!("a={A}\na={B}\na={A}"))],
                Some("more than one key has the kid `a`"),
            ),
            (
                vec![
                    ("order_key", &*format!("a={A}")),
                    ("payment_links", "true"),
                    ("payment_link_kid", "a"),
                    ("payment_link_max_quantity", "btc=1"),
                    ("public_url", "https://pay.shop.example"),
                ],
                Some("more than one key has the kid `a`"),
            ),
            (vec![("max_streams", "900")], Some("`max_streams` (900)")),
            (
                vec![("max_connections", "600")],
                Some("`max_streams` (600)"),
            ),
            (vec![("max_connections", "601")], None),
        ] {
            let config = Settings::of_tests(&settings).read().unwrap();
            let warnings = config.contradictions();
            assert_eq!(
                warnings.len(),
                usize::from(warning.is_some()),
                "{warnings:?}"
            );
            for text in warnings {
                assert!(text.starts_with(warning.unwrap()), "{text}");
            }
        }
    }
}
