//! The shop's prices, and signed orders (JWT, RFC 7519).

use jsonwebtoken::get_current_timestamp;
use serde::Serialize;
use tender_protocol::TokenCode;
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};

use crate::config::{Config, OrderKey};
use crate::invoice::Invoice;
use crate::options::Options;
use crate::page::PageError;

/// Price of the shop's only article. Prices are texts, which no float rounds.
pub(crate) const ARTICLE: &str = "42.00";
/// Price of the shipping.
pub(crate) const SHIPPING: &str = "6.50";
/// Price of both.
pub(crate) const TOTAL: &str = "48.50";
/// The currency of every price, as the service names it: USDT on the TRC20 network.
pub(crate) const TOKEN: &str = "usdtt";
/// How long an order is valid.
const LIFETIME_SECONDS: u64 = 60 * 60;

/// An order to sign.
pub(crate) struct Order {
    /// The shop's invoice number.
    pub(crate) invoice: Invoice,
    /// The price; `None` if the payer chooses the amount.
    pub(crate) price: Option<&'static str>,
    /// The buyer's e-mail address, if known.
    pub(crate) email: Option<String>,
}

/// The buyer's e-mail address, which a real shop knows from an earlier step.
const EMAIL: &str = "buyer@example.com";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims {
    #[serde(flatten)]
    order: OrderClaims,
    #[serde(skip_serializing_if = "Option::is_none")]
    return_url: Option<String>,
    exp: u64,
}

impl Order {
    /// The order of the checkout page with these options.
    pub(crate) fn new(options: &Options, invoice: Invoice) -> Self {
        Self {
            invoice,
            price: options.amount.is_none().then_some(TOTAL),
            email: options.ask.is_none().then(|| EMAIL.to_owned()),
        }
    }

    /// Signs the order as a JWT that is valid for one hour. The checkout links to its page in the shop.
    pub(crate) fn sign(&self, config: &Config) -> Result<String, PageError> {
        let page = |origin| format!("{origin}/order/{}", self.invoice.as_str());
        let claims = Claims {
            order: OrderClaims {
                token: TokenCode::from(TOKEN),
                quantity: self.price.map(str::parse).transpose()?,
                invoice_number: self.invoice.as_str().to_owned(),
                item_number: self.price.is_none().then(|| PAYER_CHOOSES.to_owned()),
                purchase_email: self.email.clone(),
                purchase_name: None,
            },
            return_url: config.origin.as_ref().map(page),
            exp: get_current_timestamp() + LIFETIME_SECONDS,
        };
        let OrderKey { header, secret } = &config.order_key;
        Ok(jsonwebtoken::encode(header, &claims, secret)?)
    }
}
