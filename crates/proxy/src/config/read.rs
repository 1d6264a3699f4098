//! Parses the settings into a [`Config`].

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;
use tender_protocol::Status;

use super::{AllowOrigin, Config, ConfigError, ConfigErrors, Database, Settings};

const POSITIVE: &str = "a whole number, 1 or more";
const NON_NEGATIVE: &str = "a whole number, 0 or more";

pub(super) fn config(settings: &Settings) -> Result<Config, ConfigErrors> {
    let mut reader = Reader {
        settings,
        errors: Vec::new(),
    };
    let base_url = reader.address("base_url");
    let rates_base_url = reader.address("rates_base_url");
    let listen = reader.parse("listen", "an IP address and port, such as 127.0.0.1:8081");
    let connect_timeout = reader.parse("upstream_connect_timeout_seconds", "seconds, 1 or more");
    let timeout = reader.parse("upstream_timeout_seconds", "seconds, 1 or more");
    let settle = reader.parse(
        "upstream_settle_seconds",
        "seconds, or 0 for no settle time",
    );
    let metrics_listen = reader.parse(
        "metrics_listen",
        "an IP address and port, such as 127.0.0.1:9464",
    );
    let max_connections = reader.parse("max_connections", POSITIVE);
    let request_timeout = reader.parse("request_timeout_seconds", "seconds, 1 or more");
    let trusted_proxies = reader.parse("trusted_proxies", NON_NEGATIVE);
    let rate_limit_tokens = reader.parse("rate_limit_tokens", NON_NEGATIVE);
    let rate_limit_create = reader.parse("rate_limit_create", NON_NEGATIVE);
    let rate_limit_failures = reader.parse("rate_limit_failures", NON_NEGATIVE);
    let retries = reader.parse("upstream_retries", NON_NEGATIVE);
    let failures = reader.parse("upstream_failures", NON_NEGATIVE);
    let rest = reader.parse("upstream_rest_seconds", "seconds, 1 or more");
    let max_creates = reader.parse("max_creates", POSITIVE);
    let page_parameter = reader.parse("page_parameter", "query, path or body");
    let first_page = reader.parse("first_page", "a whole number, such as 1");
    let poll_interval = reader.parse("poll_seconds", "seconds, 1 or more");
    let poll_pages = reader.parse("poll_pages", "a whole number, 1 or more");
    let max_streams = reader.parse("max_streams", "a whole number, or 0 for no streams");
    let token_cache = reader.parse("token_cache_seconds", "seconds, or 0 for no cache");
    let allow_unsigned_orders = reader.parse("allow_unsigned_orders", "true or false");
    let log_format = reader.parse("log_format", "text or json");
    let log_level = reader.parse("log_level", "off, error, warn, info, debug or trace");
    let (status_paid, status_closed) = reader.mapped_statuses();
    let upstream_headers = reader.headers();
    let allow_origin = reader.origins();
    let order_keys = reader.order_keys();
    let receipt_keys = reader.secrets("receipt_key", "receipt_key_file");
    let merchant_keys = reader.merchant_keys();
    let webhook_secrets = reader.webhook_secrets();
    let database = reader.database();
    let assets = reader.directory("assets");

    if order_keys.is_empty() && allow_unsigned_orders != Some(true) {
        reader.errors.push(ConfigError::NoOrders);
    }
    let (Some(base_url), Some(rates_base_url), true) =
        (base_url, rates_base_url, reader.errors.is_empty())
    else {
        return Err(ConfigErrors(reader.errors));
    };
    let default = Config::new(base_url, rates_base_url);
    let seconds = |value: NonZeroU32| Duration::from_secs(value.get().into());
    Ok(Config {
        listen: listen.unwrap_or(default.listen),
        upstream_headers,
        upstream_connect_timeout: connect_timeout.map_or(default.upstream_connect_timeout, seconds),
        upstream_timeout: timeout.map_or(default.upstream_timeout, seconds),
        upstream_settle: settle.map_or(default.upstream_settle, Duration::from_secs),
        metrics_listen: metrics_listen.or(default.metrics_listen),
        max_connections: max_connections.map_or(default.max_connections, NonZeroUsize::get),
        request_timeout: request_timeout.map_or(default.request_timeout, seconds),
        trusted_proxies: trusted_proxies.unwrap_or(default.trusted_proxies),
        rate_limit_tokens: rate_limit_tokens.unwrap_or(default.rate_limit_tokens),
        rate_limit_create: rate_limit_create.unwrap_or(default.rate_limit_create),
        rate_limit_failures: rate_limit_failures.unwrap_or(default.rate_limit_failures),
        upstream_retries: retries.unwrap_or(default.upstream_retries),
        upstream_failures: failures.unwrap_or(default.upstream_failures),
        upstream_rest: rest.map_or(default.upstream_rest, seconds),
        max_creates: max_creates.map_or(default.max_creates, NonZeroUsize::get),
        page_parameter: page_parameter.unwrap_or(default.page_parameter),
        first_page: first_page.unwrap_or(default.first_page),
        token_cache: token_cache.map_or(default.token_cache, Duration::from_secs),
        allow_origin,
        allow_unsigned_orders: allow_unsigned_orders.unwrap_or(default.allow_unsigned_orders),
        order_keys,
        receipt_keys,
        merchant_keys,
        status_paid,
        status_closed,
        poll_interval: poll_interval.map_or(default.poll_interval, seconds),
        poll_pages: poll_pages.map_or(default.poll_pages, NonZeroU32::get),
        max_streams: max_streams.unwrap_or(default.max_streams),
        webhook_secrets,
        database,
        assets,
        log_format: log_format.unwrap_or(default.log_format),
        log_level: log_level.unwrap_or(default.log_level),
        ..default
    })
}

/// The lines of `texts` that are not blank.
pub(super) fn lines<'a>(texts: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    texts
        .flat_map(str::lines)
        .map(str::trim)
        .filter(|line| !line.is_empty())
}

pub(super) fn file(setting: &'static str, path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::File {
        setting,
        path: path.to_owned(),
        source,
    })
}

/// Parses settings and collects all errors.
pub(super) struct Reader<'a> {
    pub(super) settings: &'a Settings,
    errors: Vec<ConfigError>,
}

impl Reader<'_> {
    fn parse<T: FromStr>(&mut self, setting: &'static str, expected: &'static str) -> Option<T> {
        let text = self.settings.one(setting)?;
        let value = text.parse().ok();
        if value.is_none() {
            self.invalid(setting, text, expected);
        }
        value
    }

    /// A base URL, to which a path is appended.
    fn address(&mut self, setting: &'static str) -> Option<Url> {
        let Some(text) = self.settings.one(setting) else {
            self.errors.push(ConfigError::Missing(setting));
            return None;
        };
        let plain = |url: &Url| {
            matches!(url.scheme(), "http" | "https")
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        };
        let address = text.parse().ok().filter(plain);
        if address.is_none() {
            self.unusable(
                setting,
                "it must be an http or https URL without credentials and query; put credentials \
                 into `upstream_header`",
            );
        }
        address
    }

    fn headers(&mut self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (setting, line) in self.texts("upstream_header", "upstream_header_file") {
            let header = line.split_once(':').and_then(|(name, value)| {
                let name = HeaderName::from_str(name.trim()).ok()?;
                let mut value = HeaderValue::from_str(value.trim()).ok()?;
                value.set_sensitive(true);
                Some((name, value))
            });
            match header {
                Some((name, value)) => _ = headers.append(name, value),
                None => self.unusable(setting, "each line must be `Name: value`"),
            }
        }
        headers
    }

    /// The statuses that mean "paid", and those that mean "closed".
    fn mapped_statuses(&mut self) -> (Vec<String>, Vec<String>) {
        let [paid, closed] = ["status_paid", "status_closed"].map(|setting| {
            let statuses = self.settings.many(setting);
            let statuses: Vec<_> = statuses.map(str::to_owned).collect();
            for status in &statuses {
                if [Status::Created.id(), Status::Created.text()].contains(&status.as_str()) {
                    let expected = "a status other than that of a new payment";
                    self.invalid(setting, status, expected);
                }
            }
            statuses
        });
        for status in paid.iter().filter(|status| closed.contains(status)) {
            let expected = "a status that is not in `status_closed`, too";
            self.invalid("status_paid", status, expected);
        }
        (paid, closed)
    }

    fn origins(&mut self) -> AllowOrigin {
        let mut origins = Vec::new();
        for text in self.settings.many("allow_origin") {
            if text == "*" {
                return AllowOrigin::Any;
            }
            // As browsers write it: in lower case, without a default port and without a path.
            let is_origin = text.parse::<Url>().is_ok_and(|url| {
                url.origin().is_tuple() && url.origin().ascii_serialization() == text
            });
            match HeaderValue::from_str(text) {
                Ok(origin) if is_origin => origins.push(origin),
                _ => self.invalid(
                    "allow_origin",
                    text,
                    "an origin as browsers send it, such as https://shop.example, or *",
                ),
            }
        }
        AllowOrigin::Exactly(origins)
    }

    /// The values of a setting and those in the files that `in_file` names. Each comes with the
    /// setting that it was read from.
    pub(super) fn texts(
        &mut self,
        setting: &'static str,
        in_file: &'static str,
    ) -> Vec<(&'static str, String)> {
        let own = self.settings.many(setting);
        let mut texts: Vec<_> = own.map(|text| (setting, text.to_owned())).collect();
        for path in self.settings.many(in_file) {
            let content = self.file(in_file, path).unwrap_or_default();
            let lines = lines(std::iter::once(&*content));
            texts.extend(lines.map(|line| (in_file, line.to_owned())));
        }
        texts
    }

    fn database(&mut self) -> Database {
        let mut texts = self.texts("database_url", "database_url_file").into_iter();
        let Some((setting, text)) = texts.next() else {
            return Database::default_file();
        };
        if texts.next().is_some() {
            self.unusable(
                setting,
                "there is more than one; give one address, here or in a file",
            );
        }
        text.parse().unwrap_or_else(|()| {
            self.unusable(
                setting,
                "it must be sqlite:PATH, sqlite::memory: or postgres://USER@HOST/DATABASE",
            );
            Database::Memory
        })
    }

    fn directory(&mut self, setting: &'static str) -> Option<PathBuf> {
        let text = self.settings.one(setting)?;
        let path = PathBuf::from(text);
        if !path.is_dir() {
            self.invalid(setting, text, "the path of a directory that exists");
        }
        Some(path)
    }

    pub(super) fn file(&mut self, setting: &'static str, path: &str) -> Option<String> {
        file(setting, Path::new(path))
            .map_err(|error| self.errors.push(error))
            .ok()
    }

    fn invalid(&mut self, setting: &'static str, value: &str, expected: &'static str) {
        self.errors.push(ConfigError::Invalid {
            setting,
            value: value.to_owned(),
            expected,
        });
    }

    pub(super) fn unusable(&mut self, setting: &'static str, reason: &'static str) {
        self.errors.push(ConfigError::Unusable { setting, reason });
    }
}
