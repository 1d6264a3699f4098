//! Settings that are valid by themselves but contradict each other.

use std::collections::HashSet;
use std::net::SocketAddr;

use tender_ledger::is_cancelled;

use super::{Config, Secret, invalid};

impl Config {
    /// An error for each pair of settings that have a key in common, so that knowing it for one purpose allows the
    /// other.
    pub(super) fn shared_keys(&self) -> Vec<String> {
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
                    errors.push(format!(
                        "`{first}` and `{second}` have a key in common; generate a separate key for each purpose"
                    ));
                }
            }
        }
        errors
    }

    /// An error for each contradiction between settings, also in those that a program has set that uses the crate.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        let checks = [
            self.notifications.check(),
            self.check_statuses(),
            self.check_brand(),
            self.check_links(),
            self.check_listeners(),
        ];
        let mut errors: Vec<_> = checks.into_iter().filter_map(Result::err).collect();
        if !self.upstream.headers.is_empty() && !self.upstream.allow_http {
            let reason = "`upstream_header` would be sent without encryption; write https, or set \
                          `allow_http_upstream` if only your own programs use that network";
            let exposed = self.upstream.exposed();
            errors.extend(exposed.map(|(setting, _)| invalid(setting, reason)));
        }
        errors
    }

    fn check_statuses(&self) -> Result<(), String> {
        for (setting, statuses) in self.orders.statuses() {
            let mut cancelled = statuses.iter().filter(|status| is_cancelled(status));
            if let Some(status) = cancelled.next().filter(|_| setting != "status_closed") {
                let reason = format!("{status:?} is the status of a cancelled payment; remove it");
                return Err(invalid(setting, reason));
            }
        }
        match self.orders.in_two_lists(str::to_owned) {
            None => Ok(()),
            Some([(first, status), (second, _)]) => Err(format!(
                "`{status}` is in `{first}` and in `{second}`; remove it from one of them"
            )),
        }
    }

    fn check_listeners(&self) -> Result<(), String> {
        let server = &self.server;
        let listen = server.listen;
        let collides = |other: SocketAddr| {
            let [one, other] = [listen, other].map(|it| (it.ip(), it.port()));
            let is_same = one.0 == other.0 || one.0.is_unspecified() || other.0.is_unspecified();
            is_same && one.1 == other.1 && one.1 != 0
        };
        if server.metrics_listen.is_some_and(collides) {
            let reason = "`listen` has the same address and port; choose another port";
            return Err(invalid("metrics_listen", reason));
        }
        Ok(())
    }

    fn check_brand(&self) -> Result<(), String> {
        let brand = &self.server.brand;
        if brand.logo.is_some() && brand.name.is_none() {
            let reason = "`shop_name` is not set; set it for buyers who don't see the logo";
            return Err(invalid("shop_logo", reason));
        }
        Ok(())
    }

    fn check_links(&self) -> Result<(), String> {
        let links = &self.payment_links;
        if !links.is_on {
            return Ok(());
        }
        let invalid = |reason| super::invalid("payment_links", reason);
        self.server.payment_page().map_err(invalid)?;
        let tokens = links.limits().max_quantity.len();
        if tokens == 0 || tokens != links.max_quantities.len() {
            return Err(invalid(
                "`payment_link_max_quantity` must have one highest price for each token of payment links",
            ));
        }
        if links.max_days > self.orders.max_days {
            return Err(invalid(
                "`payment_link_max_days` is more than `order_max_days`, so links would be refused; lower it",
            ));
        }
        Ok(())
    }
}

fn texts(secrets: &[Secret]) -> HashSet<&str> {
    secrets.iter().map(Secret::as_str).collect()
}
