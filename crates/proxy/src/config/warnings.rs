//! Settings that are valid, and that probably do not what their author wants. Each text is a sentence without its full stop.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Url;

use super::{Config, Database, is_local, letters};
use crate::clock::{DAY, days};
use crate::config::RETENTION;

/// A longer time to stop looks like a proxy that hangs.
const LONG_DRAIN: u64 = 5 * 60;

/// A longer pause between poll cycles looks like a checkout that does not work.
const LONG_POLL: u64 = 60;

/// How long a page waits for a response.
const WIDGET_TIMEOUT: u64 = 30;

/// A buyer waits no longer for a lost response, and a shop needs less time to answer.
const LONG_SETTLE: u64 = 2 * 60;

/// A longer validity of orders is hardly a limit.
const MANY_DAYS: u64 = 1000;

/// Many payments are made, or seen, only the next day.
const SHORT_FOLLOW: Duration = DAY;

/// More servers in front of each other are rare.
const MANY_PROXIES: usize = 3;

impl Config {
    /// What `--check` and the log warn of.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut warn = |warning: &str| warnings.push(warning.to_owned());
        self.about_orders(&mut warn);
        self.about_notifications(&mut warn);
        self.about_the_service(&mut warn);
        self.about_addresses(&mut warn);
        self.about_numbers(&mut warn);
        if !self.upstream.test_mode {
            self.about_money(&mut warn);
        }
        warnings.extend_from_slice(&self.unread);
        warnings
    }

    fn about_orders(&self, warn: &mut impl FnMut(&str)) {
        let links = &self.payment_links;
        let mut seen = BTreeSet::new();
        let kids = self.orders.keys.iter().filter_map(|key| key.kid.as_deref());
        let kids = kids.chain(links.is_on.then_some(&*links.kid));
        let repeated: BTreeSet<_> = kids.filter(|kid| !seen.insert(*kid)).collect();
        for kid in repeated {
            warn(&format!(
                "more than one key has the kid `{kid}` (`order_key`, `payment_link_kid`), so the log can't say which \
                 one signed an order; give each key its own kid"
            ));
        }
        for (setting, statuses) in self.orders.statuses() {
            // It is probably a list, or a pattern.
            let is_list = |status: &&String| status.contains([',', ';', '|', '*']);
            for status in statuses.iter().filter(is_list) {
                warn(&format!(
                    "`{setting}` has the status `{status}`, which is compared exactly, as one status; repeat the setting \
                     for each status, or write a list in the file"
                ));
            }
        }
        // An equal one is an error.
        if let Some([(first, one), (second, other)]) = self.orders.in_two_lists(letters)
            && one != other
        {
            warn(&format!(
                "`{one}` of `{first}` and `{other}` of `{second}` differ only in capitals, white space or punctuation; one of \
                 them probably has the wrong meaning"
            ));
        }
        if links.is_on && self.access.merchant_keys.is_empty() {
            warn(
                "`payment_links` is on and there is no `merchant_key`, so no one can make a link; set `merchant_key`",
            );
        }
    }

    fn about_notifications(&self, warn: &mut impl FnMut(&str)) {
        let Some(url) = &self.notifications.url else {
            if !self.notifications.secrets.is_empty() {
                warn(
                    "`notify_secret` is set and `notify_url` is not, so nothing is sent; set `notify_url` to the address of the \
                     shop's receiver",
                );
            }
            return;
        };
        if url.path() == "/" && url.query().is_none() {
            warn(
                "`notify_url` has no path, so notifications go to the shop's home page; write the address of its receiver",
            );
        }
        let public = self.server.public_url.as_ref();
        if public.is_some_and(|public| url.origin() == public.origin()) {
            warn(
                "`notify_url` is at the address of the proxy (`public_url`); write that of the shop's backend, unless a \
                 server in front passes its path to it",
            );
        }
        if self.orders.status_paid.is_empty() {
            warn(
                "`notify_url` is set and `status_paid` is not, so the shop never learns that a payment is paid; set \
                 `status_paid` to the status that means it: `tender-proxy statuses` lists those that the service has \
                 sent",
            );
        }
        if matches!(self.store.database, Database::Memory) {
            warn(
                "`notify_url` is set and the database is in memory, so notifications that wait are lost when the \
                 proxy ends; set `database_url` to a file or PostgreSQL",
            );
        }
        if self.tracking.poll_pages == 1 {
            warn(
                "`notify_url` is set and `poll_pages` is 1, so only the 20 newest payments are read at a time, and \
                 the shop learns late of others; remove `poll_pages`",
            );
        }
    }

    fn about_the_service(&self, warn: &mut impl FnMut(&str)) {
        let upstream = &self.upstream;
        // A program on this machine may add them.
        let is_near = upstream.addresses().iter().all(|(_, url)| is_local(url));
        if upstream.headers.is_empty() && !upstream.test_mode && !is_near {
            warn(
                "there is no `upstream_header`, so the service gets no credentials of yours; set it to the header that the service \
                 requires",
            );
        }
        for header in &upstream.headers {
            let name = &header.name;
            if header.is_quoted() {
                warn(&format!(
                    "`upstream_header` has the value of `{name}` in quotes, which are sent, too; remove them"
                ));
            }
            if header.is_placeholder() {
                warn(&format!(
                    "`upstream_header` has a placeholder as the value of `{name}`, so the service will refuse all calls; \
                     write the credential that it gave you"
                ));
            }
        }
        for (setting, _) in upstream.exposed() {
            warn(&format!(
                "`{setting}` has no TLS, so others may read and change the amounts and wallets of payments; write https, \
                 unless only your own programs use that network"
            ));
        }
    }

    /// Addresses that are probably those of something else.
    fn about_addresses(&self, warn: &mut impl FnMut(&str)) {
        for (setting, url) in self.upstream.addresses() {
            if url.path().contains("/api/v1") {
                warn(&format!(
                    "`{setting}` contains `/api/v1`, which the proxy adds itself; remove it unless the service has it twice"
                ));
            }
        }
        let [(_, base), (_, rates)] = self.upstream.addresses();
        if base == rates && !is_local(base) {
            warn(
                "`base_url` and `rates_base_url` are the same, and the service has two addresses; check both",
            );
        }
        let public = self.server.public_url.as_ref().map_or("", Url::path);
        let end = public.trim_end_matches('/').rsplit('/').next();
        if let Some(end @ ("pay" | "v1" | "api")) = end {
            warn(&format!(
                "`public_url` ends with `/{end}`, which the proxy adds itself; remove it unless the server in front \
                 passes such a path on"
            ));
        }
    }

    fn about_numbers(&self, warn: &mut impl FnMut(&str)) {
        let (streams, connections) = (self.tracking.max_streams, self.server.max_connections);
        if streams >= connections {
            warn(&format!(
                "`max_streams` ({streams}) is not below `max_connections` ({connections}), so event streams can use \
                 all connections and block other requests; lower `max_streams` or raise `max_connections`"
            ));
        }
        let first = self.upstream.first_page;
        if first > 1 {
            warn(&format!(
                "`first_page` is {first}, so the pages before it are never read; it is the number of the page with the newest \
                 payments, usually 0 or 1"
            ));
        }
        let proxies = self.server.trusted_proxies;
        if proxies > MANY_PROXIES {
            warn(&format!(
                "`trusted_proxies` is {proxies}: it is the number of your servers in front, one after the other, usually 1; with too \
                 many, clients choose their address themselves"
            ));
        }
        let mut too_large = |setting: &str, value: u64, most: u64, so: &str| {
            if value > most {
                warn(&format!("`{setting}` is {value}, {so}; lower it"));
            }
        };
        let timeout = self.upstream.timeout.as_secs();
        let so = "and a page waits for 30 only";
        too_large("upstream_timeout_seconds", timeout, WIDGET_TIMEOUT, so);
        let settle = self.upstream.settle.as_secs();
        let so = "so a lost request is searched for as long before its order can be paid";
        too_large("upstream_settle_seconds", settle, LONG_SETTLE, so);
        let notify = self.notifications.timeout.as_secs();
        let so = "so a shop that hangs holds back later notifications as long";
        too_large("notify_timeout_seconds", notify, LONG_SETTLE, so);
        let drain = self.server.drain.as_secs();
        let so = "so each restart takes as long";
        too_large("drain_seconds", drain, LONG_DRAIN, so);
        let days = self.orders.max_days.into();
        let so = "so a price may be valid for years";
        too_large("order_max_days", days, MANY_DAYS, so);
        if self.upstream.test_mode {
            return;
        }
        let poll = self.tracking.poll_interval.as_secs();
        let so = "so buyers wait as long until they see that they have paid";
        too_large("poll_seconds", poll, LONG_POLL, so);
        if self.notifications.url.is_some() {
            let poll = self.notifications.poll_interval.as_secs();
            let so = "so the shop learns as late that a payment is paid";
            too_large("notify_poll_seconds", poll, 10 * LONG_POLL, so);
        }
    }

    /// What is fine in a test and costs money otherwise.
    fn about_money(&self, warn: &mut impl FnMut(&str)) {
        let origins = &self.server.allow_origins;
        if origins.len() > 1 && origins.iter().any(|origin| origin == "*") {
            warn(
                "`allow_origin` has `*`, which allows pages of any origin, so the others have no effect; remove it or them",
            );
        }
        let origins = origins
            .iter()
            .filter_map(|origin| origin.to_str().ok()?.parse::<Url>().ok());
        // Apps have pages at `http://tauri.localhost`, for example.
        let is_here =
            |url: &Url| is_local(url) || url.domain().is_some_and(|it| it.ends_with(".localhost"));
        for url in origins.filter(|url| url.scheme() == "http" && !is_here(url)) {
            let origin = url.origin().ascii_serialization();
            warn(&format!(
                "`allow_origin` has {origin} without TLS, so others may change its pages, and the wallet that a buyer sees; \
                 serve them by https"
            ));
        }
        let follow = self.notifications.follow;
        if self.notifications.url.is_some() && follow < SHORT_FOLLOW {
            warn(&format!(
                "`notify_follow_hours` is {}, so the shop never learns of a payment that is paid later; raise it",
                follow.as_secs() / 3600
            ));
        }
        let memory = self.store.order_memory;
        if memory < RETENTION {
            let [days, least] = [memory, RETENTION].map(days);
            warn(&format!(
                "`order_memory_days` is {days}, and an order is remembered for {least} days at least; an order that is \
                 signed again later may get a second payment: raise it"
            ));
        }
    }
}
