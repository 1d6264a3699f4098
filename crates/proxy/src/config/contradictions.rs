//! Settings that are valid by themselves but contradict each other.

use std::collections::HashSet;
use std::net::SocketAddr;

use tender_ledger::is_cancelled;

use super::{Config, Secret, invalid};

impl Config {
    /// An error for each pair of settings that have a key in common, so that knowing it for one purpose allows the
    /// other.
    pub(super) fn shared_keys(&self) -> Vec<String> {
        let orders = self.orders.keys.iter();
        let orders = orders.filter_map(|key| key.secret.as_ref());
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
        let mut errors = Vec::new();
        let mut add = |error: &str| errors.push(error.to_owned());
        let Self {
            server,
            upstream,
            orders,
            notifications,
            payment_links: links,
            ..
        } = self;
        if notifications.url.is_some() && notifications.secrets.is_empty() {
            add(
                "`notify_url` needs `notify_secret` or `notify_secret_file`, which signs the notifications; \
                 `echo whsec_$(openssl rand -base64 32)` generates a good one",
            );
        }
        for (setting, statuses) in orders.statuses() {
            let mut cancelled = statuses.iter().filter(|status| is_cancelled(status));
            if let Some(status) = cancelled.next().filter(|_| setting != "status_closed") {
                let reason = format!("{status:?} is the status of a cancelled payment; remove it");
                add(&invalid(setting, reason));
            }
        }
        if let Some([(first, status), (second, _)]) = orders.in_two_lists(str::to_owned) {
            add(&format!(
                "`{status}` is in `{first}` and in `{second}`; remove it from one of them"
            ));
        }
        if server.brand.logo.is_some() && server.brand.name.is_none() {
            let reason = "`shop_name` is not set; set it for buyers who don't see the logo";
            add(&invalid("shop_logo", reason));
        }
        if links.is_on {
            if let Err(reason) = server.payment_page() {
                add(&invalid("payment_links", reason));
            }
            let tokens = links.limits().max_quantity.len();
            if tokens == 0 || tokens != links.max_quantities.len() {
                let reason = "`payment_link_max_quantity` must have one highest price for each token of payment links";
                add(&invalid("payment_links", reason));
            }
            if links.max_days > orders.max_days {
                let reason = "`payment_link_max_days` is more than `order_max_days`, so links would be refused; lower it";
                add(&invalid("payment_links", reason));
            }
        }
        let listen = server.listen;
        let collides = |other: SocketAddr| {
            let is_any = listen.ip().is_unspecified() || other.ip().is_unspecified();
            let is_same = listen.port() == other.port() && listen.port() != 0;
            is_same && (is_any || listen.ip() == other.ip())
        };
        if server.metrics_listen.is_some_and(collides) {
            let reason = "`listen` has the same address and port; choose another port";
            add(&invalid("metrics_listen", reason));
        }
        if !upstream.headers.is_empty() && !upstream.allow_http {
            let reason = "`upstream_header` would be sent without encryption; write https, or set \
                          `allow_http_upstream` if only your own programs use that network";
            for (setting, _) in upstream.exposed() {
                add(&invalid(setting, reason));
            }
        }
        errors
    }
}

fn texts(secrets: &[Secret]) -> HashSet<&str> {
    secrets.iter().map(Secret::as_str).collect()
}
