//! The configuration from the element's attributes.

mod order;

use tender_protocol::client::url::{self, InvalidProxyUrl};
use tender_protocol::code::accepted_codes;
use tender_protocol::{AmountError, TokenCode};

use crate::form::DecimalSeparator;
use crate::order::{Buyer, Order, OrderError};

/// The validated attributes of `<tender-checkout>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The absolute address of the merchant proxy, without a trailing slash.
    pub proxy: String,
    /// The order.
    pub order: Order,
    /// The code of the token that is selected at first.
    pub payment_token: Option<TokenCode>,
    /// The codes of the tokens to offer, in this order; empty for all.
    pub accept: Vec<TokenCode>,
    /// The field for the buyer's e-mail address.
    pub ask_email: BuyerField,
    /// The field for the buyer's name.
    pub ask_name: BuyerField,
    /// What the shop already knows about the buyer.
    pub buyer: Buyer,
    /// BCP 47 tag of the locale, if the shop sets one.
    pub locale: Option<String>,
    /// How the buyer writes decimals. A point, unless the page says what its language has.
    pub decimal_separator: DecimalSeparator,
    /// Warnings for the developer about values that were not recognised.
    pub warnings: Vec<String>,
}

/// Whether a field for the buyer is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuyerField {
    /// Not shown.
    #[default]
    Hidden,
    /// Shown, optional.
    Optional,
    /// Shown, required.
    Required,
}

/// Why the attributes are invalid. The message is for the shop's developer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A required attribute is missing.
    #[error("`{0}` is missing: set it to {1}")]
    Missing(&'static str, &'static str),
    /// `proxy` is not an address that paths can be appended to.
    #[error(transparent)]
    Proxy(#[from] InvalidProxyUrl),
    /// There are both a signed order and plain attributes.
    #[error(
        "`order` and `{0}` contradict each other: a signed order holds the price, so set either \
         `order` or the plain attributes"
    )]
    Contradiction(&'static str),
    /// `order` is not a readable JWT.
    #[error("{0}; have the shop's backend sign it again")]
    Order(#[from] OrderError),
    /// `quantity` is not an amount.
    #[error("`quantity`: {0}")]
    Quantity(#[from] AmountError),
    /// The quantity is zero, and the payer can't choose it.
    #[error("the price is zero; set a `quantity`, or item number 0 to let the payer choose it")]
    NothingToPay,
    /// The create endpoint does not accept the order's token.
    #[error(
        "the price is in `{0}`, which the payment service does not accept; it accepts {codes}",
        codes = accepted_codes()
    )]
    NotAccepted(String),
    /// `locale` can't be a BCP 47 tag.
    #[error("`locale` is a language tag of BCP 47, such as `de` or `fr-CA`")]
    Locale,
}

/// The attributes that say what the form offers.
pub const OFFERED: [&str; 3] = ["accept", "ask", "payment-token"];

/// The attributes that change what the form shows before the buyer has typed anything.
pub fn displayed() -> impl Iterator<Item = &'static str> {
    let others = ["token", "quantity", "item-number", "locale"];
    others.into_iter().chain(OFFERED)
}

impl Config {
    /// Reads the attributes. `attribute` returns an attribute's value by its name; `resolve` makes an address absolute.
    ///
    /// # Errors
    /// [`ConfigError`] for the first attribute that is missing, invalid or contradicts another one.
    pub fn read(
        attribute: impl Fn(&'static str) -> Option<String>,
        resolve: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        // Takes trait objects, so that the code below is compiled only once.
        Self::read_from(&attribute, &resolve)
    }

    fn read_from(
        attribute: &dyn Fn(&'static str) -> Option<String>,
        resolve: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let filled = |name| filled(attribute(name));
        let proxy = filled("proxy").ok_or(ConfigError::Missing(
            "proxy",
            "the address of the merchant proxy",
        ))?;
        let proxy = url::proxy_url(proxy, resolve)?;
        Ok(Self::new(proxy, order::read(&filled)?, attribute))
    }

    /// A configuration that is only displayed. It has no proxy and no invoice, and `attribute` is asked for nothing personal:
    /// only for [`displayed`].
    ///
    /// # Errors
    /// [`ConfigError`] for the first attribute that is missing or invalid.
    pub fn displayed(
        attribute: impl Fn(&'static str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let attribute = |name| {
            let is_displayed = displayed().any(|other| other == name);
            is_displayed.then(|| attribute(name))?
        };
        let order = order::displayed(&|name| filled(attribute(name)))?;
        let config = Self::new(String::new(), order, &attribute);
        match &config.locale {
            Some(tag) if !is_language_tag(tag) => Err(ConfigError::Locale),
            _ => Ok(config),
        }
    }

    /// A boolean attribute is true if it is there: `attribute` has a value, which may be empty.
    fn new(
        proxy: String,
        order: Order,
        attribute: &dyn Fn(&'static str) -> Option<String>,
    ) -> Self {
        let filled = |name| filled(attribute(name));
        let mut warnings = Vec::new();

        let payment_token = filled("payment-token").map(TokenCode::from);
        let accept = codes(&filled("accept").unwrap_or_default());
        warn_of_codes(payment_token.as_ref(), &accept, &mut warnings);
        let (ask_email, ask_name) = asks(&filled("ask").unwrap_or_default(), &mut warnings);
        warn_of_theme(filled("theme").as_deref(), &mut warnings);

        // The order's values take precedence over the page's.
        let known = |claim: &Option<String>, name| {
            let claim = claim.clone().filter(|text| !text.trim().is_empty());
            claim.or_else(|| filled(name))
        };
        let claims = order.claims();
        Self {
            proxy,
            payment_token,
            accept,
            ask_email,
            ask_name,
            buyer: Buyer {
                email: known(&claims.purchase_email, "purchase-email"),
                name: known(&claims.purchase_name, "purchase-name"),
            },
            // Programs also write `de_DE`.
            locale: filled("locale").map(|tag| tag.replace('_', "-")),
            decimal_separator: DecimalSeparator::Point,
            warnings,
            order,
        }
    }

    /// Whether both configurations show the same tokens and fields, with the same values.
    pub fn offers_same(&self, other: &Self) -> bool {
        let Self {
            payment_token,
            accept,
            ask_email,
            ask_name,
            buyer,
            proxy: _,
            order: _,
            locale: _,
            decimal_separator: _,
            warnings: _,
        } = self;
        *payment_token == other.payment_token
            && *accept == other.accept
            && *ask_email == other.ask_email
            && *ask_name == other.ask_name
            && *buyer == other.buyer
    }
}

/// The value without white space around it; an empty attribute is an absent one.
fn filled(value: Option<String>) -> Option<String> {
    let text = value?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn codes(text: &str) -> Vec<TokenCode> {
    words(text).map(TokenCode::from).collect()
}

/// The words of a list. They are separated by white space; some write commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| it.is_ascii_whitespace() || it == ',');
    words.filter(|word| !word.is_empty())
}

fn warn_of_codes(chosen: Option<&TokenCode>, accept: &[TokenCode], warnings: &mut Vec<String>) {
    let all = accept.iter().chain(chosen);
    warnings.extend(
        all.filter(|code| !code.is_accepted())
            .map(|code| format!("the payment service does not accept the token code `{code}`")),
    );
    if let Some(code) = chosen
        && !accept.is_empty()
        && !accept.contains(code)
    {
        warnings.push(format!(
            "`payment-token` is `{code}`, which is not among the codes of `accept`"
        ));
    }
}

/// Which fields to show for the e-mail address and the name.
fn asks(text: &str, warnings: &mut Vec<String>) -> (BuyerField, BuyerField) {
    let (mut email, mut name) = (BuyerField::Hidden, BuyerField::Hidden);
    for word in words(text) {
        match word {
            "email" => email = BuyerField::Optional,
            "email!" => email = BuyerField::Required,
            "name" => name = BuyerField::Optional,
            "name!" => name = BuyerField::Required,
            other => warnings.push(format!("`ask` knows `email` and `name`, not `{other}`")),
        }
    }
    (email, name)
}

/// Whether the text has the characters and the length of a language tag (BCP 47, section 4.4.1).
fn is_language_tag(tag: &str) -> bool {
    tag.len() <= 35 && (tag.bytes()).all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The style sheet reads the theme.
fn warn_of_theme(word: Option<&str>, warnings: &mut Vec<String>) {
    match word {
        None | Some("auto" | "light" | "dark") => {}
        Some(other) => {
            warnings.push(format!("`theme` is auto, light or dark, not `{other}`"));
        }
    }
}
