//! Access control: a buyer with a receipt, or the merchant.
//!
//! [`Caller`] and [`Merchant`] are extractors of a request's headers. axum runs them before the
//! extractor of the body, so the body of a stranger is never read.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use tender_protocol::ProblemCode;

use crate::checkout::receipts::{Receipt, Receipts, Rights};
use crate::checkout::signing::LinkSigner;
use crate::config::{Config, Secret};
use crate::error::{Credential, Error};
use crate::order::verifier::Verifier;
use crate::statuses::Viewer;

/// The keys of buyers, the shop, the merchant and the webhook. A reload replaces all of them.
pub(crate) struct Access {
    pub(crate) receipts: Receipts,
    pub(crate) orders: Verifier,
    merchant_keys: Vec<Secret>,
    webhook_secrets: Vec<Secret>,
}

/// The caller that a bearer token (RFC 6750) identifies.
#[derive(Debug)]
pub(crate) enum Caller {
    /// Has a merchant key and may access every payment.
    Merchant {
        /// The number of the key, from 1.
        key: usize,
    },
    /// Has the receipt of this payment.
    Buyer(Receipt),
}

pub(crate) struct Merchant;

impl Access {
    /// Takes the configured keys. `receipt_key` is the key for receipts in the database, and `links` signs
    /// payment links with another one there. A reload does not change the mode.
    pub(crate) fn new(
        config: &Config,
        receipt_key: &Secret,
        links: Option<&LinkSigner>,
        is_test: bool,
    ) -> Self {
        let order_keys = config.orders.keys.iter().cloned();
        Self {
            receipts: Receipts::new(&config.access.receipt_keys, receipt_key, is_test),
            orders: Verifier {
                keys: order_keys.chain(links.map(LinkSigner::key)).collect(),
                max_days: config.orders.max_days,
            },
            merchant_keys: config.access.merchant_keys.clone(),
            webhook_secrets: config.access.webhook_secrets.clone(),
        }
    }

    pub(crate) fn caller(&self, headers: &HeaderMap) -> Result<Caller, Error> {
        let token = bearer(headers)?;
        let mut keys = self.merchant_keys.iter().zip(1..);
        if let Some((_, key)) = keys.find(|(key, _)| key.matches(token)) {
            return Ok(Caller::Merchant { key });
        }
        // A receipt is a JWT, which has three parts.
        if token.split('.').count() == 3 {
            self.buyer(token)
        } else {
            Err(Error::CredentialsInvalid(Credential::MerchantKey))
        }
    }

    /// Checks the last segment of the webhook's address. Without secrets there is no webhook.
    pub(crate) fn notifier(&self, offered: Option<&str>) -> Result<(), Error> {
        if self.webhook_secrets.is_empty() {
            return Err(ProblemCode::NotFound.into());
        }
        let mut secrets = self.webhook_secrets.iter();
        let is_known = offered.is_some_and(|offered| secrets.any(|secret| secret.matches(offered)));
        let wrong = Error::CredentialsInvalid(Credential::WebhookSecret);
        is_known.then_some(()).ok_or(wrong)
    }

    pub(crate) fn buyer(&self, receipt: &str) -> Result<Caller, Error> {
        let wrong = Error::CredentialsInvalid(Credential::Receipt);
        let receipt = self.receipts.verify(receipt).ok_or(wrong)?;
        Ok(Caller::Buyer(receipt))
    }
}

impl Caller {
    /// The name of the credential, for the audit log.
    pub(crate) fn key_name(&self) -> String {
        match self {
            Self::Merchant { key } => format!("merchant_key {key}"),
            Self::Buyer(_) => "receipt".to_owned(),
        }
    }

    /// Fails unless the caller may read this payment.
    pub(crate) fn require_access(&self, payment: &str) -> Result<(), Error> {
        match self {
            Self::Merchant { .. } => Ok(()),
            Self::Buyer(receipt) if receipt.transaction_id == payment => Ok(()),
            Self::Buyer(_) => Err(Error::CredentialsInvalid(Credential::Receipt)),
        }
    }

    /// Fails unless the caller may cancel, mark and replace this payment.
    pub(crate) fn require_control(&self, payment: &str) -> Result<(), Error> {
        self.require_access(payment)?;
        match self {
            Self::Buyer(receipt) if receipt.rights == Rights::ReadOnly => {
                Err(ProblemCode::OrderExpired.into())
            }
            Self::Buyer(_) | Self::Merchant { .. } => Ok(()),
        }
    }

    /// As who the caller sees a payment.
    pub(crate) fn viewer(&self) -> Viewer {
        match self {
            Self::Merchant { .. } => Viewer::Merchant,
            Self::Buyer(receipt) if receipt.rights == Rights::Own => Viewer::Buyer,
            Self::Buyer(_) => Viewer::Finder,
        }
    }
}

/// The bearer token of a request (RFC 6750). The scheme is case-insensitive (RFC 9110, section 11.1).
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, Error> {
    let value = headers.get(AUTHORIZATION);
    let value = value.and_then(|value| value.to_str().ok()?.trim().split_once(' '));
    match value {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim()),
        _ => Err(ProblemCode::CredentialsMissing.into()),
    }
}
