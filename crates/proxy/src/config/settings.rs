//! Settings as text, from command-line flags, environment variables and a TOML file.
//!
//! A setting has the same name in all three: `base_url` in the file is `--base-url` and
//! `TENDER_BASE_URL`. Flags take precedence over environment variables, which take precedence over
//! the file. A repeatable setting is a repeated flag, a list in the file, and one value per line in
//! an environment variable.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches};

use super::{Config, ConfigError, ConfigErrors};

/// The values of the settings by name, not yet parsed.
#[derive(Clone, Default)]
pub struct Settings(BTreeMap<&'static str, Vec<String>>);

struct Setting {
    name: &'static str,
    /// Placeholder for the value in the help.
    value: &'static str,
    repeatable: bool,
    help: &'static str,
}

const fn one(name: &'static str, value: &'static str, help: &'static str) -> Setting {
    Setting {
        name,
        value,
        repeatable: false,
        help,
    }
}

const fn many(name: &'static str, value: &'static str, help: &'static str) -> Setting {
    Setting {
        name,
        value,
        repeatable: true,
        help,
    }
}

#[rustfmt::skip]
const ALL: &[Setting] = &[
    one("listen", "ADDRESS", "Address and port to listen on [default: 127.0.0.1:8081]"),
    one("metrics_listen", "ADDRESS", "Address and port that serve the metrics, without authentication [default: none]"),
    one("max_connections", "NUMBER", "Maximum number of open connections [default: 900]"),
    one("request_timeout_seconds", "SECONDS", "Timeout for request headers, and for a request body [default: 10]"),
    one("trusted_proxies", "NUMBER", "Number of trusted reverse proxies in front of this one; 0 uses the connection's address as the client's [default: 0]"),
    one("rate_limit_tokens", "NUMBER", "Token listings per minute and client address; 0 means no limit [default: 120]"),
    one("rate_limit_create", "NUMBER", "Create requests per minute and client address; 0 means no limit [default: 30]"),
    one("rate_limit_failures", "NUMBER", "Wrong receipts and keys per minute and client address; 0 means no limit [default: 10]"),
    one("base_url", "URL", "Base URL of the service's payment endpoints"),
    one("rates_base_url", "URL", "Base URL of the service's token-listing endpoint"),
    many("upstream_header", "NAME: VALUE", "Header for every request to the service, such as its credentials"),
    many("upstream_header_file", "PATH", "File with one such header per line"),
    one("upstream_connect_timeout_seconds", "SECONDS", "Timeout for connecting to the service [default: 5]"),
    one("upstream_timeout_seconds", "SECONDS", "Timeout for a response of the service [default: 20]"),
    one("upstream_settle_seconds", "SECONDS", "How long after a lost response the service may still execute a request [default: 2]"),
    one("upstream_retries", "NUMBER", "How often a read request to the service is retried [default: 2]"),
    one("upstream_failures", "NUMBER", "Consecutive failures before the circuit breaker opens; 0 disables it [default: 5]"),
    one("upstream_rest_seconds", "SECONDS", "How long the circuit breaker stays open [default: 10]"),
    one("max_creates", "NUMBER", "Maximum number of payments that are created at the same time [default: 64]"),
    one("page_parameter", "PLACE", "Where the page number is sent when payments are listed: query, path or body [default: query]"),
    one("first_page", "NUMBER", "Number of the list's first page [default: 1]"),
    one("token_cache_seconds", "SECONDS", "How long a token listing is cached; 0 disables the cache [default: 60]"),
    many("allow_origin", "ORIGIN", "Origin whose pages may call the proxy, such as https://shop.example; * for all"),
    one("allow_unsigned_orders", "BOOL", "Let pages set their own price, for donations and demos [default: false]"),
    many("order_key", "SECRET", "HS256 secret that verifies orders, or KID=SECRET"),
    many("order_key_file", "PATH", "File with an Ed25519 public key (PEM) or with one HS256 secret per line, or KID=PATH"),
    many("receipt_key", "SECRET", "Secret that signs receipts; the first one signs, all verify"),
    many("receipt_key_file", "PATH", "File with one such secret per line"),
    many("merchant_key", "SECRET", "Key that allows the merchant to see and cancel payments"),
    many("merchant_key_file", "PATH", "File with one such key per line"),
    many("status_closed", "STATUS", "statusId or statusText that ends a payment, so that its order can be paid again"),
    one("poll_seconds", "SECONDS", "Interval between two polls of the service's list while the status of a payment is tracked [default: 5]"),
    one("poll_pages", "NUMBER", "Maximum number of pages that one poll reads [default: 5]"),
    one("max_streams", "NUMBER", "Maximum number of open event streams; each is a connection, so set it below max_connections [default: 600]"),
    many("webhook_secret", "SECRET", "Last part of the webhook URL that the service notifies, /webhook/SECRET"),
    many("webhook_secret_file", "PATH", "File with one such secret per line"),
    one("database_url", "URL", "Where attempts and payments are stored: sqlite:PATH, sqlite::memory: or postgres://... [default: sqlite:tender.db]"),
    one("database_url_file", "PATH", "File with that address"),
    one("assets", "PATH", "Directory that replaces the built-in widget"),
    one("log_format", "FORMAT", "Format of the log: text or json [default: text]"),
    one("log_level", "LEVEL", "Least severe level that is logged: off, error, warn, info, debug or trace [default: info]"),
];

impl Settings {
    /// The flags, each with its environment variable.
    pub fn args() -> impl Iterator<Item = Arg> {
        ALL.iter().map(|setting| {
            let arg = Arg::new(setting.name)
                .long(setting.name.replace('_', "-"))
                .env(format!("TENDER_{}", setting.name.to_uppercase()))
                .value_name(setting.value)
                .help(setting.help)
                .hide_env_values(true);
            match setting {
                Setting {
                    repeatable: true, ..
                } => arg.action(ArgAction::Append),
                Setting { value: "BOOL", .. } => arg
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value("true"),
                _ => arg,
            }
        })
    }

    /// Takes the settings from flags and environment variables.
    #[must_use]
    pub fn from_args(matches: &ArgMatches) -> Self {
        let texts = |name| matches.get_many::<String>(name);
        let given = ALL
            .iter()
            .filter_map(|setting| Some((setting.name, texts(setting.name)?.cloned().collect())));
        Self(given.collect())
    }

    /// Reads a TOML file.
    ///
    /// # Errors
    /// [`ConfigError::File`], [`ConfigError::Toml`], [`ConfigError::Unknown`] and
    /// [`ConfigError::NotText`].
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = super::read::file("config", path)?;
        // The parser's own message quotes the line, which may contain a secret.
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            ConfigError::Toml {
                line: before.map_or(1, |before| before.matches('\n').count() + 1),
                reason: error.message().to_owned(),
            }
        })?;
        let mut settings = Self::default();
        for (name, value) in table {
            let Some(setting) = ALL.iter().find(|setting| setting.name == name) else {
                return Err(ConfigError::Unknown(name));
            };
            let values = match value {
                toml::Value::Array(values) if setting.repeatable => values,
                value => vec![value],
            };
            let texts: Option<_> = values.into_iter().map(text_of).collect();
            let texts = texts.ok_or(ConfigError::NotText(setting.name))?;
            settings.0.insert(setting.name, texts);
        }
        Ok(settings)
    }

    /// Adds the settings of `others` that are not set here.
    #[must_use]
    pub fn or(self, mut others: Self) -> Self {
        others.0.extend(self.0);
        others
    }

    /// Parses the settings.
    ///
    /// # Errors
    /// All errors at once.
    pub fn read(self) -> Result<Config, ConfigErrors> {
        super::read::config(&self)
    }

    /// The value of a setting; a blank value counts as not set.
    pub(super) fn one(&self, name: &'static str) -> Option<&str> {
        self.many(name).next()
    }

    /// The values of a setting that are not blank.
    pub(super) fn many(&self, name: &'static str) -> impl Iterator<Item = &str> {
        let texts = self.0.get(name).into_iter().flatten();
        super::read::lines(texts.map(String::as_str))
    }
}

/// Shows only the names, because some values are secret.
impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

fn text_of(value: toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(switch) => Some(switch.to_string()),
        _ => None,
    }
}
