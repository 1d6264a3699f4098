//! Parses the settings that contain keys.

use super::read::{Reader, lines};
use super::{OrderKey, Secret};

/// An HS256 key needs at least 256 bits (RFC 7518, section 3.2); the same minimum applies to all
/// keys.
const SHORTEST_SECRET: usize = 32;

impl Reader<'_> {
    pub(super) fn order_keys(&mut self) -> Vec<OrderKey> {
        let mut keys = Vec::new();
        for text in self.settings.many("order_key") {
            let (kid, secret) = with_kid(text);
            keys.extend(self.hs256("order_key", kid, secret));
        }
        for text in self.settings.many("order_key_file") {
            const SETTING: &str = "order_key_file";
            let (kid, path) = with_kid(text);
            let Some(content) = self.file(SETTING, path) else {
                continue;
            };
            if content.trim_start().starts_with("-----BEGIN") {
                let key = OrderKey::ed25519(kid.map(str::to_owned), &content);
                if key.is_none() {
                    self.unusable(SETTING, "the PEM is not an Ed25519 public key");
                }
                keys.extend(key);
            } else {
                for line in lines(std::iter::once(&*content)) {
                    let (own_kid, secret) = with_kid(line);
                    keys.extend(self.hs256(SETTING, own_kid.or(kid), secret));
                }
            }
        }
        keys
    }

    fn hs256(
        &mut self,
        setting: &'static str,
        kid: Option<&str>,
        secret: &str,
    ) -> Option<OrderKey> {
        let secret = self.secret(setting, secret)?;
        Some(OrderKey::hs256(kid.map(str::to_owned), secret))
    }

    pub(super) fn secrets(&mut self, setting: &'static str, in_file: &'static str) -> Vec<Secret> {
        self.texts(setting, in_file)
            .iter()
            .filter_map(|(setting, text)| self.secret(setting, text))
            .collect()
    }

    /// The keys are sent as bearer tokens (RFC 6750, section 2.1).
    pub(super) fn merchant_keys(&mut self) -> Vec<Secret> {
        let setting = "merchant_key";
        let keys = self.secrets(setting, "merchant_key_file");
        if !all_bytes(&keys, |byte| byte.is_ascii_graphic()) {
            self.unusable(
                setting,
                "it is sent in a header, so it can only contain visible ASCII characters; \
                 `openssl rand -base64 32` generates a good one",
            );
        }
        keys
    }

    /// The secrets are part of a URL.
    pub(super) fn webhook_secrets(&mut self) -> Vec<Secret> {
        let setting = "webhook_secret";
        let secrets = self.secrets(setting, "webhook_secret_file");
        if !all_bytes(&secrets, |byte| {
            byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
        }) {
            self.unusable(
                setting,
                "it is part of a URL, so it can only contain letters, digits, `-`, `.`, `_` and `~`; \
                 `openssl rand -hex 32` generates a good one",
            );
        }
        secrets
    }

    fn secret(&mut self, setting: &'static str, text: &str) -> Option<Secret> {
        if text.len() < SHORTEST_SECRET {
            self.unusable(
                setting,
                "it is shorter than 32 characters; `openssl rand -base64 32` generates a good one",
            );
            return None;
        }
        Some(Secret::from(text))
    }
}

/// Whether all bytes of the secrets are allowed.
fn all_bytes(secrets: &[Secret], is_allowed: impl Fn(u8) -> bool + Copy) -> bool {
    let mut bytes = secrets.iter().flat_map(Secret::as_bytes).copied();
    bytes.all(is_allowed)
}

/// Splits `kid=secret`. An `=` that only pads Base64 at the end of a secret, or that follows a `/`
/// of a path, is not a separator.
fn with_kid(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((kid, rest))
            if !kid.is_empty() && !kid.contains('/') && !rest.trim_matches('=').is_empty() =>
        {
            (Some(kid), rest)
        }
        _ => (None, text),
    }
}
