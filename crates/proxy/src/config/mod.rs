//! The configuration of the proxy, as plain data.
//!
//! Each field of a section declares one setting: its name, type, default and documentation. Flags,
//! environment variables, the file's names, `--help` and docs/configuration.md are made from these
//! declarations ([`flags`]). Tests and other programs create a [`Config`] directly.

mod access;
mod brand;
mod contradictions;
mod declaration;
mod logging;
mod names;
mod notifications;
mod numbers;
mod orders;
mod server;
mod settings;
mod store;
mod tracking;
mod upstream;
mod values;
mod warnings;

use std::fmt;
use std::net::IpAddr;

use clap::Args;
use reqwest::Url;

pub use access::{Access, Secret};
pub use brand::{Brand, Colour, Logo};
pub use declaration::flags;
pub use logging::{LogFormat, Logging};
pub use notifications::Notifications;
pub(crate) use orders::letters;
pub use orders::{MaxQuantity, OrderKey, Orders, PaymentLinks};
pub use server::{Limits, Server};
pub(crate) use settings::Settings;
pub(crate) use store::RETENTION;
pub use store::{Database, Store};
pub use tracking::Tracking;
pub use upstream::{ListOrder, PageParameter, Upstream, UpstreamHeader};

/// All settings.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Addresses, connections and pages.
    #[command(flatten)]
    pub server: Server,
    /// Limits per client address.
    #[command(flatten)]
    pub limits: Limits,
    /// The payment service.
    #[command(flatten)]
    pub upstream: Upstream,
    /// Orders, and what their payments' statuses mean.
    #[command(flatten)]
    pub orders: Orders,
    /// Orders that the proxy signs for the merchant.
    #[command(flatten)]
    pub payment_links: PaymentLinks,
    /// The keys of buyers, the merchant and the webhook.
    #[command(flatten)]
    pub access: Access,
    /// Status updates.
    #[command(flatten)]
    pub tracking: Tracking,
    /// Notifications to the shop's backend.
    #[command(flatten)]
    pub notifications: Notifications,
    /// The database.
    #[command(flatten)]
    pub store: Store,
    /// The log.
    #[command(flatten)]
    pub logging: Logging,
    /// Warnings about variables that are set and are not read, because they are misspelt.
    #[arg(skip)]
    unread: Vec<String>,
    /// The values of the settings that a reload applies.
    #[arg(skip)]
    reloaded: Vec<Secret>,
}

impl Config {
    /// Whether a reload of `other` would change nothing.
    pub(crate) fn reloads_as(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|config| config.reloaded.iter().map(Secret::as_str));
        own.eq(others)
    }

    /// The setting of an address to which reloaded keys are sent, if it has another value than where the proxy runs: a reload
    /// changes no address.
    pub(crate) fn moves_from(&self, running: &Self) -> Option<&'static str> {
        let [upstream, others] = [&self.upstream, &running.upstream];
        let addresses = upstream.addresses().into_iter().zip(others.addresses());
        let mut moved = addresses.filter(|((_, own), (_, other))| own != other);
        let is_notified = self.notifications.url == running.notifications.url;
        let notified = (!is_notified).then_some("notify_url");
        moved.next().map(|((setting, _), _)| setting).or(notified)
    }

    /// Creates a configuration with the defaults of the program, for a service with these base URLs.
    /// Only the database differs: it is in memory.
    ///
    /// # Errors
    /// An address is not a plain base URL.
    pub fn new(base_url: &str, rates_base_url: &str) -> Result<Self, ConfigErrors> {
        let mut settings = Settings::default();
        for (name, value) in [
            ("base_url", base_url),
            ("rates_base_url", rates_base_url),
            ("database_url", "sqlite::memory:"),
        ] {
            settings.add(name, [value]);
        }
        settings.parse()
    }
}

/// Whether a host is this machine. IPv6 addresses may be in brackets.
pub(crate) fn is_loopback(host: &str) -> bool {
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

/// Whether an address is on this machine.
fn is_local(url: &Url) -> bool {
    is_loopback(url.host_str().unwrap_or_default())
}

/// A value of a setting can't be used, for this reason.
fn invalid(setting: &str, reason: impl fmt::Display) -> String {
    format!("`{setting}` can't be used: {reason}")
}

/// All configuration errors, one per line. Each names the setting and says what to do, and contains no secret.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ConfigErrors(pub Vec<String>);

impl From<String> for ConfigErrors {
    fn from(error: String) -> Self {
        Self(vec![error])
    }
}
