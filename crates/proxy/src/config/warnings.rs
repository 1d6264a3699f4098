//! Settings that are valid, and that probably do not what their author wants. Each text is a sentence without its full stop.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Url;

use super::{Config, Database, is_loopback, letters};
use crate::clock::{DAY, days};
use crate::config::RETENTION;

/// A longer pause between poll cycles looks like a checkout that does not work.
const LONG_POLL: Duration = Duration::from_mins(1);

/// How long a page waits for a response.
const WIDGET_TIMEOUT: Duration = Duration::from_secs(30);

/// A longer time to stop looks like a proxy that hangs.
const LONG_DRAIN: Duration = Duration::from_mins(5);

/// A longer validity of orders is hardly a limit.
const MANY_DAYS: u16 = 1000;

/// Many payments are made, or seen, only the next day.
const SHORT_FOLLOW: Duration = DAY;

/// More servers in front of each other are rare.
const MANY_PROXIES: usize = 3;

impl Config {
    /// What `--check` and the log warn of.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.repeated_kids();
        warnings.extend(self.too_many_streams());
        warnings.extend(self.notifications_that_lack_something());
        warnings.extend(self.lists_in_statuses());
        warnings.extend(self.alike_statuses());
        warnings.extend(self.links_without_a_key());
        warnings.extend(self.no_credentials());
        warnings.extend(self.placeholders());
        warnings.extend(self.unencrypted());
        warnings.extend(self.odd_addresses());
        warnings.extend(self.odd_numbers());
        if !self.upstream.test_mode {
            warnings.extend(self.only_for_tests());
        }
        warnings.extend_from_slice(&self.unread);
        warnings
    }

    fn repeated_kids(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let kids = self.orders.keys.iter().filter_map(|key| key.kid());
        let links = &self.payment_links;
        let kids = kids.chain(links.is_on.then_some(&*links.kid));
        let repeated: BTreeSet<_> = kids.filter(|kid| !seen.insert(*kid)).collect();
        let warning = |kid| {
            format!(
                "more than one key has the kid `{kid}` (`order_key`, `payment_link_kid`), so the log can't say which \
                 one signed an order; give each key its own kid"
            )
        };
        repeated.into_iter().map(warning).collect()
    }

    fn too_many_streams(&self) -> Option<String> {
        let (streams, connections) = (self.tracking.max_streams, self.server.max_connections);
        (streams >= connections).then(|| {
            format!(
                "`max_streams` ({streams}) is not below `max_connections` ({connections}), so event streams can use \
                 all connections and block other requests; lower `max_streams` or raise `max_connections`"
            )
        })
    }

    fn notifications_that_lack_something(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let Some(url) = &self.notifications.url else {
            if !self.notifications.secrets.is_empty() {
                warnings.push(
                    "`notify_secret` is set and `notify_url` is not, so nothing is sent; set `notify_url` to the address of the \
                     shop's receiver"
                        .to_owned(),
                );
            }
            return warnings;
        };
        if url.path() == "/" && url.query().is_none() {
            warnings.push(
                "`notify_url` has no path, so notifications go to the shop's home page; write the address of its receiver"
                    .to_owned(),
            );
        }
        if self.orders.status_paid.is_empty() {
            warnings.push(
                "`notify_url` is set and `status_paid` is not, so the shop never learns that a payment is paid; set \
                 `status_paid` to the status that means it: `tender-proxy statuses` lists those that the service has \
                 sent"
                    .to_owned(),
            );
        }
        if matches!(self.store.database, Database::Memory) {
            warnings.push(
                "`notify_url` is set and the database is in memory, so notifications that wait are lost when the \
                 proxy ends; set `database_url` to a file or PostgreSQL"
                    .to_owned(),
            );
        }
        if self.tracking.poll_pages == 1 {
            warnings.push(
                "`notify_url` is set and `poll_pages` is 1, so only the 20 newest payments are read at a time, and \
                 the shop learns late of others; remove `poll_pages`"
                    .to_owned(),
            );
        }
        warnings
    }

    /// A status with one of these characters is probably a list, or a pattern.
    fn lists_in_statuses(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (setting, statuses) in self.orders.statuses() {
            let lists = statuses
                .iter()
                .filter(|status| status.contains([',', ';', '|', '*']));
            warnings.extend(lists.map(|status| {
                format!(
                    "`{setting}` has the status `{status}`, which is compared exactly, as one status; repeat the setting \
                     for each status, or write a list in the file"
                )
            }));
        }
        warnings
    }

    fn alike_statuses(&self) -> Option<String> {
        let [(first, one), (second, other)] = self.orders.in_two_lists(letters)?;
        // An equal one is an error.
        (one != other).then(|| {
            format!(
                "`{one}` of `{first}` and `{other}` of `{second}` differ only in capitals, white space or punctuation; one of \
                 them probably has the wrong meaning"
            )
        })
    }

    fn links_without_a_key(&self) -> Option<String> {
        (self.payment_links.is_on && self.access.merchant_keys.is_empty()).then(|| {
            "`payment_links` is on and there is no `merchant_key`, so no one can make a link; set `merchant_key`".to_owned()
        })
    }

    /// A program on this machine may add them.
    fn no_credentials(&self) -> Option<String> {
        let upstream = &self.upstream;
        let is_far = |(_, url): (_, &Url)| !is_loopback(url.host_str().unwrap_or_default());
        let is_asked = upstream.addresses().into_iter().any(is_far);
        (upstream.headers.is_empty() && !upstream.test_mode && is_asked).then(|| {
            "there is no `upstream_header`, so the service gets no credentials of yours; set it to the header that the service \
             requires"
                .to_owned()
        })
    }

    fn placeholders(&self) -> Vec<String> {
        let headers = self.upstream.headers.iter();
        let quoted = headers.clone().filter(|header| header.is_quoted());
        let quoted = quoted.map(|header| {
            format!(
                "`upstream_header` has the value of `{}` in quotes, which are sent, too; remove them",
                header.name
            )
        });
        let placeholders = headers.filter(|header| header.is_placeholder());
        let warning = |name| {
            format!(
                "`upstream_header` has a placeholder as the value of `{name}`, so the service will refuse all calls; \
                 write the credential that it gave you"
            )
        };
        let placeholders = placeholders.map(|header| warning(&header.name));
        quoted.chain(placeholders).collect()
    }

    fn unencrypted(&self) -> Vec<String> {
        let warning = |(setting, _)| {
            format!(
                "`{setting}` has no TLS, so others may read and change the amounts and wallets of payments; write https, \
                 unless only your own programs use that network"
            )
        };
        self.upstream.exposed().map(warning).collect()
    }

    /// Addresses that are probably those of something else.
    fn odd_addresses(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut warn = |warning: String| warnings.push(warning);
        for (setting, url) in self.upstream.addresses() {
            if url.path().contains("/api/v1") {
                warn(format!(
                    "`{setting}` contains `/api/v1`, which the proxy adds itself; remove it unless the service has it twice"
                ));
            }
        }
        let [(_, base), (_, rates)] = self.upstream.addresses();
        if base == rates && !is_loopback(base.host_str().unwrap_or_default()) {
            warn(
                "`base_url` and `rates_base_url` are the same, and the service has two addresses; check both".to_owned(),
            );
        }
        let Some(public) = &self.server.public_url else {
            return warnings;
        };
        let end = public.path().trim_end_matches('/').rsplit('/').next();
        if let Some(end @ ("pay" | "v1" | "api")) = end {
            warn(format!(
                "`public_url` ends with `/{end}`, which the proxy adds itself; remove it unless the server in front \
                 passes such a path on"
            ));
        }
        let notify = self.notifications.url.as_ref();
        if notify.is_some_and(|url| url.origin() == public.origin()) {
            warn(
                "`notify_url` is at the address of the proxy (`public_url`); write that of the shop's backend, unless a \
                 server in front passes its path to it"
                    .to_owned(),
            );
        }
        warnings
    }

    fn odd_numbers(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.upstream.first_page > 1 {
            warnings.push(format!(
                "`first_page` is {}, so the pages before it are never read; it is the number of the page with the newest \
                 payments, usually 0 or 1",
                self.upstream.first_page
            ));
        }
        if self.upstream.timeout > WIDGET_TIMEOUT {
            warnings.push(format!(
                "`upstream_timeout_seconds` is {}, and a page waits for 30 only; lower it",
                self.upstream.timeout.as_secs()
            ));
        }
        if self.server.drain > LONG_DRAIN {
            warnings.push(format!(
                "`drain_seconds` is {}, so each restart takes as long; lower it",
                self.server.drain.as_secs()
            ));
        }
        if self.orders.max_days > MANY_DAYS {
            warnings.push(format!(
                "`order_max_days` is {}, so a price may be valid for years; lower it",
                self.orders.max_days
            ));
        }
        if self.server.trusted_proxies > MANY_PROXIES {
            warnings.push(format!(
                "`trusted_proxies` is {}: it is the number of your servers in front, one after the other, usually 1; with too \
                 many, clients choose their address themselves",
                self.server.trusted_proxies
            ));
        }
        warnings
    }

    /// What is fine in a test and costs money otherwise.
    fn only_for_tests(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let origins = &self.server.allow_origins;
        if origins.len() > 1 && origins.iter().any(|origin| origin == "*") {
            warnings.push(
                "`allow_origin` has `*`, which allows pages of any origin, so the others have no effect; remove it or them"
                    .to_owned(),
            );
        }
        for origin in origins {
            let Some(url) = origin.to_str().ok().and_then(|it| it.parse::<Url>().ok()) else {
                continue;
            };
            let host = url.host_str().unwrap_or_default();
            // Apps have pages at `http://tauri.localhost`, for example.
            let is_here = is_loopback(host) || host.ends_with(".localhost");
            if url.scheme() == "http" && !is_here {
                let origin = url.origin().ascii_serialization();
                warnings.push(format!(
                    "`allow_origin` has {origin} without TLS, so others may change its pages, and the wallet that a buyer sees; \
                     serve them by https"
                ));
            }
        }
        let follow = self.notifications.follow;
        if self.notifications.url.is_some() && follow < SHORT_FOLLOW {
            warnings.push(format!(
                "`notify_follow_hours` is {}, so the shop never learns of a payment that is paid later; raise it",
                follow.as_secs() / 3600
            ));
        }
        let poll = self.tracking.poll_interval;
        if poll > LONG_POLL {
            warnings.push(format!(
                "`poll_seconds` is {}, so buyers wait as long until they see that they have paid; lower it",
                poll.as_secs()
            ));
        }
        let poll = self.notifications.poll_interval;
        if self.notifications.url.is_some() && poll > 10 * LONG_POLL {
            warnings.push(format!(
                "`notify_poll_seconds` is {}, so the shop learns as late that a payment is paid; lower it",
                poll.as_secs()
            ));
        }
        let memory = self.store.order_memory;
        if memory < RETENTION {
            let [days, least] = [memory, RETENTION].map(days);
            warnings.push(format!(
                "`order_memory_days` is {days}, and an order is remembered for {least} days at least; an order that is \
                 signed again later may get a second payment: raise it"
            ));
        }
        warnings
    }
}
