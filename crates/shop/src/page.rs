//! The shop's page templates.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};
use serde_json::json;
use tender_protocol::AmountError;
use tender_protocol::code::ACCEPTED;

use crate::config::{Config, Origin};
use crate::invoice::Invoice;
use crate::options::Options;
use crate::order::{ARTICLE, Order, SHIPPING};
use crate::playground;
use crate::screens::SCREENS;

const CHECKOUT: &str = "index.html";

/// The templates beside the checkout, and what they have in common.
const TEMPLATES: [(&str, &str); 6] = [
    ("layout.html", include_str!("layout.html")),
    ("pay.html", include_str!("pay.html")),
    ("order.html", include_str!("order.html")),
    ("office.html", include_str!("office.html")),
    ("login.html", include_str!("login.html")),
    ("playground.html", include_str!("playground.html")),
];

/// The templates. Values are escaped for HTML, and an undefined variable is an error.
pub(crate) struct Pages(Environment<'static>);

/// Why a page can't be rendered.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The page was not built.
    #[error(
        "can't read {path}: {source}; build it with `cargo xtask dist`, or set --dist to its directory"
    )]
    Missing {
        /// The path of the page.
        path: PathBuf,
        /// The error from the operating system.
        source: io::Error,
    },
    /// The template is invalid, or uses an undefined variable.
    #[error("the page is not a valid template: {0}")]
    Template(#[from] minijinja::Error),
    /// The price of the order on the page is not a valid amount.
    #[error("the order's price can't be written: {0}")]
    Price(#[from] AmountError),
    /// The order on the page can't be signed.
    #[error("the order can't be signed: {0}")]
    Sign(#[from] jsonwebtoken::errors::Error),
}

impl Pages {
    /// Reads the checkout page from `dist`.
    pub(crate) fn load(dist: &Path) -> Result<Self, PageError> {
        let path = dist.join(CHECKOUT);
        let checkout = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(PageError::Missing { path, source }),
        };
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.add_template_owned(CHECKOUT, checkout)?;
        for (name, template) in TEMPLATES {
            templates.add_template(name, template)?;
        }
        Ok(Self(templates))
    }

    fn render(&self, template: &str, values: Value) -> Result<String, PageError> {
        Ok(self.0.get_template(template)?.render(values)?)
    }

    /// The checkout page with a signed order.
    pub(crate) fn checkout(
        &self,
        config: &Config,
        options: &Options,
        order: &Order,
    ) -> Result<String, PageError> {
        let usdt = |price| format!("{price} USDT");
        let (article, shipping, total) = match order.price {
            Some(total) => (usdt(ARTICLE), usdt(SHIPPING), usdt(total)),
            None => (
                "Pay what you like".into(),
                "Included".into(),
                "You choose".into(),
            ),
        };
        let values = context! {
            proxy => unescaped(&config.proxy),
            // These attributes are escaped already.
            options => Value::from_safe_string(options.attributes()),
            order => order.sign(config)?,
            invoice => order.invoice.as_str(),
            theme => options.theme.attribute().unwrap_or("auto"),
            sandbox => config.sandbox.as_ref().map(unescaped),
            contact => order.email.as_deref().unwrap_or("Asked at payment"),
            article,
            shipping,
            total,
        };
        self.render(CHECKOUT, values)
    }

    /// The back office.
    pub(crate) fn office(&self, config: &Config) -> Result<String, PageError> {
        let values = context! { proxy => unescaped(&config.proxy) };
        self.render("office.html", values)
    }

    /// The login page of the back office.
    pub(crate) fn login(&self) -> Result<String, PageError> {
        self.render("login.html", context! {})
    }

    /// The playground, with an order for a price and one whose payer chooses the amount.
    pub(crate) fn playground(
        &self,
        config: &Config,
        [order, open_order]: [&Order; 2],
    ) -> Result<String, PageError> {
        let values = context! {
            proxy => unescaped(&config.proxy),
            order => order.sign(config)?,
            open_order => open_order.sign(config)?,
            codes => ACCEPTED.iter().map(|token| token.code.as_str()).collect::<Vec<_>>(),
            languages => playground::LANGUAGES,
            colours => playground::COLOURS,
            sizes => playground::SIZES,
            presets => playground::PRESETS.map(|(name, values)| {
                let values: BTreeMap<_, _> = values.iter().copied().collect();
                (name, json!(values).to_string())
            }),
            screens => SCREENS.map(|[state, name, ..]| (state, name)),
            invoice => order.invoice.as_str(),
            sandbox => config.sandbox.as_ref().map(unescaped),
        };
        self.render("playground.html", values)
    }

    /// The page of an order.
    pub(crate) fn order(&self, invoice: &Invoice, is_paid: bool) -> Result<String, PageError> {
        let values = context! { invoice => invoice.as_str(), is_paid };
        self.render("order.html", values)
    }

    /// The page for buyers who can't use the checkout.
    pub(crate) fn pay(&self, invoice: &Invoice) -> Result<String, PageError> {
        self.render("pay.html", context! { invoice => invoice.as_str() })
    }
}

/// Origins need no HTML escaping.
fn unescaped(origin: &Origin) -> Value {
    Value::from_safe_string(origin.to_string())
}
