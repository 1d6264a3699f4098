//! Settings that are valid by themselves but contradict each other.

use std::collections::{BTreeSet, HashSet};

use super::{Config, ConfigError, Secret};

impl Config {
    /// An error for each pair of settings that have a key in common, so that knowing it for one purpose allows the
    /// other.
    pub(super) fn shared_keys(&self) -> Vec<ConfigError> {
        let orders = self
            .orders
            .keys
            .iter()
            .filter_map(|key| key.secret.as_ref());
        let keys: [(_, HashSet<_>); 5] = [
            ("order_key", orders.map(Secret::as_str).collect()),
            ("receipt_key", texts(&self.access.receipt_keys)),
            ("merchant_key", texts(&self.access.merchant_keys)),
            ("webhook_secret", texts(&self.access.webhook_secrets)),
            ("notify_secret", texts(&self.notifications.secrets)),
        ];
        let mut errors = Vec::new();
        for (number, (second, theirs)) in keys.iter().enumerate() {
            for (first, own) in keys.iter().take(number) {
                if !own.is_disjoint(theirs) {
                    errors.push(ConfigError(format!(
                        "`{first}` and `{second}` have a key in common; generate a separate key for each purpose"
                    )));
                }
            }
        }
        errors
    }

    /// Checks what depends on several settings, and what a program that uses the crate may have set.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        self.notifications.check()?;
        if let Some((status, [first, second])) = self.orders.ambiguous_status() {
            return Err(ConfigError(format!(
                "`{status}` is in `{first}` and in `{second}`; remove it from one of them"
            )));
        }
        let brand = &self.server.brand;
        if brand.logo.is_some() && brand.name.is_none() {
            let reason = "`shop_name` is not set; set it for buyers who don't see the logo";
            return Err(ConfigError::invalid("shop_logo", reason));
        }
        let links = &self.payment_links;
        if !links.is_on {
            return Ok(());
        }
        let invalid = |reason| ConfigError::invalid("payment_links", reason);
        self.server.payment_page().map_err(invalid)?;
        let tokens = links.limits().max_quantity.len();
        if tokens == 0 || tokens != links.max_quantities.len() {
            return Err(invalid(
                "`payment_link_max_quantity` must have one highest price for each token of payment links",
            ));
        }
        Ok(())
    }

    /// What `--check` and the log warn of: also settings of the last version. Each text is a sentence without its full stop.
    pub(crate) fn warnings(&self) -> Vec<String> {
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
        warnings.extend_from_slice(&self.removed);
        warnings
    }
}

fn texts(secrets: &[Secret]) -> HashSet<&str> {
    secrets.iter().map(Secret::as_str).collect()
}
