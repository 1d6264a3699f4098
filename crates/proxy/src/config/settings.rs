//! Settings as text, from command-line flags, environment variables and a TOML file.
//!
//! A setting has the same name in all three: `base_url` in the file is `--base-url` and
//! `TENDER_BASE_URL`. Flags take precedence over environment variables, which take precedence over
//! the file. A repeatable setting is a repeated flag, a list in the file, and one value per line in
//! an environment variable. A blank value counts as not set. Secrets are read by the rules of
//! [`tender_protocol::secret_lines`], wherever they are.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fs;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches as _};

use super::declaration::{self, in_file, is_reloaded, is_repeatable, is_secret};
use super::names::{nearest, unknown_variables};
use super::orders::with_kid_of_file;
use super::values::{Value, lines, secrets, secrets_in_file, unreadable};
use super::{Config, ConfigErrors, Secret, invalid};

/// The settings, not yet parsed.
#[derive(Default)]
pub(crate) struct Settings {
    /// The texts by name. None is blank.
    texts: BTreeMap<String, Vec<String>>,
    /// Errors about what the file has and no setting is.
    wrong: Vec<String>,
}

impl Settings {
    /// Takes the settings from flags and environment variables.
    pub(crate) fn from_flags(matches: &ArgMatches) -> Self {
        let mut settings = Self::default();
        for flag in declaration::flags() {
            let name = flag.get_id().as_str();
            if matches.value_source(name) != Some(ValueSource::DefaultValue) {
                let texts = matches.get_many::<String>(name).into_iter().flatten();
                settings.add(name, texts.map(String::as_str));
            }
        }
        settings
    }

    /// Reads a TOML file.
    pub(crate) fn from_file(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| {
            let (path, reason) = (path.display(), unreadable(&error));
            format!("`config` names {path}, which can't be read: {reason}")
        })?;
        // The parser's own message quotes the line, which may contain a secret.
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            let reason = error.message();
            format!("line {line} of the configuration file is not TOML: {reason}")
        })?;
        let known = declaration::flags();
        let mut settings = Self::default();
        for (name, value) in table {
            let mut wrong = |reason: &str| {
                let wrong = format!("`{name}` in the configuration file {reason}");
                settings.wrong.push(wrong);
            };
            let Some(setting) = known.iter().find(|setting| *setting.get_id() == *name) else {
                wrong(&match (&value, nearest(&name)) {
                    (toml::Value::Table(_), _) => {
                        "is a section, and there are none; write its settings before it".to_owned()
                    }
                    (_, Some(near)) => {
                        format!("is not a setting; write `{near}` if you mean that one")
                    }
                    (_, None) => "is not a setting; `--help` lists all settings".to_owned(),
                });
                continue;
            };
            let values = match value {
                toml::Value::Array(values) if is_repeatable(setting) => values,
                value => vec![value],
            };
            let texts: Option<Vec<_>> = values.into_iter().map(text_of).collect();
            let Some(texts) = texts else {
                wrong("must be a string, an integer, true or false");
                continue;
            };
            settings.add(&name, texts.iter().map(String::as_str));
        }
        Ok(settings)
    }

    /// Adds the settings of `others` that are not set here.
    pub(crate) fn or(self, mut others: Self) -> Self {
        others.texts.extend(self.texts);
        others
    }

    /// Parses the settings, and checks that orders can be accepted, that notifications can be sent, and
    /// that each key has one purpose and each status one meaning. Returns all errors at once. A misspelt
    /// one of these environment variables is a warning, or explains an error.
    pub(crate) fn read(
        &self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Config, ConfigErrors> {
        let is_on = |name| self.texts(name).any(|text| text.trim() == "true");
        let orders = is_on("allow_unsigned_orders")
            || is_on("payment_links")
            || self.texts.contains_key("order_key")
            || self.texts.contains_key("order_key_file");
        let (config, mut errors) = match self.parse() {
            Ok(config) => {
                let mut errors = config.shared_keys();
                errors.extend(config.contradictions());
                (Some(config), errors)
            }
            Err(ConfigErrors(errors)) => (None, errors),
        };
        errors.extend(self.wrong.iter().cloned());
        if !orders {
            errors.push(
                "every order would be refused; set `order_key` or `order_key_file` to verify signed orders, \
                 `payment_links` to have the proxy sign them, or `allow_unsigned_orders` to let pages set their own \
                 price"
                    .to_owned(),
            );
        }
        let unread = unknown_variables(variables);
        if let Some(config) = config.filter(|_| errors.is_empty()) {
            return Ok(Config { unread, ..config });
        }
        errors.extend(unread);
        Err(ConfigErrors(errors))
    }

    pub(super) fn parse(&self) -> Result<Config, ConfigErrors> {
        let command = declaration::settings();
        let (mut flags, mut reloaded, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for setting in command.get_arguments() {
            match self.parse_one(setting) {
                Ok(checked) => {
                    if is_reloaded(setting) {
                        reloaded.extend(checked.iter().map(|flag| Secret::from(&**flag)));
                    }
                    flags.extend(checked);
                }
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(ConfigErrors(errors));
        }
        let matches = command.try_get_matches_from(flags);
        let config = matches.and_then(|matches| Config::from_arg_matches(&matches));
        let config = config.map_err(|error| invalid("settings", reason(&error)))?;
        Ok(Config { reloaded, ..config })
    }

    /// Parses the values of one setting. Returns them as flags.
    fn parse_one(&self, setting: &Arg) -> Result<Vec<String>, String> {
        let name = setting.get_id().as_str();
        let values = self.values(setting)?;
        if values.is_empty() && setting.is_required_set() {
            return Err(format!(
                "`{name}` is missing; set it to the address that the payment service gave you"
            ));
        }
        if values.len() > 1 && !is_repeatable(setting) {
            let reason = if is_secret(setting) {
                format!(
                    "it and `{}` have more than one value; keep one",
                    in_file(name)
                )
            } else {
                "it has more than one value; keep one".to_owned()
            };
            return Err(invalid(name, reason));
        }
        let alone = Command::new("setting").no_binary_name(true);
        let alone = alone.arg(setting.clone().required(false));
        let flag = |value: Value| {
            let flag = format!(
                "--{}={}",
                setting.get_long().unwrap_or_default(),
                value.text
            );
            let parsed = alone.clone().try_get_matches_from([&flag]);
            parsed.map_err(|error| {
                let reason = format!("{}{}", value.place, reason(&error));
                invalid(&value.from, reason)
            })?;
            Ok(flag)
        };
        values.into_iter().map(flag).collect()
    }

    /// The values of a setting and, if it is secret, those in the files that `<name>_file` names.
    fn values(&self, setting: &Arg) -> Result<Vec<Value>, String> {
        let name = setting.get_id().as_str();
        let mut values = Vec::new();
        for text in self.texts(name) {
            if is_secret(setting) {
                values.extend(secrets(name, text)?);
            } else {
                values.extend(lines(name, text)?);
            }
        }
        if is_secret(setting) {
            let from = in_file(name);
            for text in self.texts(&from).map(str::trim) {
                let (kid, path) = match name {
                    "order_key" => with_kid_of_file(text),
                    _ => (None, text),
                };
                values.extend(secrets_in_file(&from, kid, path)?);
            }
        }
        Ok(values)
    }

    fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let texts = self.texts.get(name).into_iter().flatten();
        texts.map(String::as_str)
    }

    /// Sets a setting, unless all texts are blank.
    pub(super) fn add<'a>(&mut self, name: &str, texts: impl IntoIterator<Item = &'a str>) {
        let texts = texts.into_iter().filter(|text| !text.trim().is_empty());
        let texts: Vec<_> = texts.map(str::to_owned).collect();
        if !texts.is_empty() {
            self.texts.insert(name.to_owned(), texts);
        }
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

/// Why a value can't be parsed. clap's own message quotes the value, which may be secret.
fn reason(error: &clap::Error) -> String {
    match (error.source(), error.get(ContextKind::ValidValue)) {
        (Some(source), _) => source.to_string(),
        (None, Some(ContextValue::Strings(values))) => format!("write {}", values.join(" or ")),
        _ => error.kind().to_string(),
    }
}
