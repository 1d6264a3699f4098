//! The shop's page templates.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};
use serde_json::json;
use tender_protocol::code::ACCEPTED;

use crate::config::Config;
use crate::invoice::Invoice;
use crate::options::Options;
use crate::order::{ARTICLE, Order, OrderError, Price, SHIPPING};
use crate::playground;
use crate::screens;

const CHECKOUT: &str = "index.html";
/// What the other pages have in common.
const LAYOUT: &str = "layout.html";
const PAY: &str = "pay.html";
const ORDER: &str = "order.html";
const OFFICE: &str = "office.html";
const LOGIN: &str = "login.html";
const PLAYGROUND: &str = "playground.html";

/// The templates. Values are escaped for HTML, and an undefined variable is an error.
#[derive(Debug)]
pub struct Pages {
    templates: Environment<'static>,
}

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
    /// The order on the page can't be signed.
    #[error(transparent)]
    Order(#[from] OrderError),
}

impl Pages {
    /// Reads the checkout page from `dist`.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn load(dist: &Path) -> Result<Self, PageError> {
        let path = dist.join(CHECKOUT);
        let checkout = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(PageError::Missing { path, source }),
        };
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.add_template_owned(CHECKOUT, checkout)?;
        templates.add_template(LAYOUT, include_str!("layout.html"))?;
        templates.add_template(PAY, include_str!("pay.html"))?;
        templates.add_template(ORDER, include_str!("order.html"))?;
        templates.add_template(OFFICE, include_str!("office.html"))?;
        templates.add_template(LOGIN, include_str!("login.html"))?;
        templates.add_template(PLAYGROUND, include_str!("playground.html"))?;
        Ok(Self { templates })
    }

    /// The checkout page with a signed order.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn checkout(
        &self,
        config: &Config,
        options: &Options,
        order: &Order,
    ) -> Result<String, PageError> {
        let usdt = |price: Price| format!("{price} USDT");
        let (article, shipping, total) = match order.price {
            Some(total) => (usdt(ARTICLE), usdt(SHIPPING), usdt(total)),
            None => (
                "Pay what you like".into(),
                "Included".into(),
                "You choose".into(),
            ),
        };
        Ok(self.templates.get_template(CHECKOUT)?.render(context! {
            // Origins and these attributes need no HTML escaping.
            proxy => Value::from_safe_string(config.proxy.to_string()),
            options => Value::from_safe_string(options.attributes()),
            order => order.sign(&config.order_key, config.origin.as_ref())?,
            invoice => order.invoice.as_str(),
            theme => options.theme.as_str(),
            sandbox => config.sandbox.as_ref().map(|sandbox| Value::from_safe_string(sandbox.to_string())),
            contact => order.email.as_deref().unwrap_or("Asked at payment"),
            article,
            shipping,
            total,
        })?)
    }

    /// The back office.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn office(&self, config: &Config) -> Result<String, PageError> {
        Ok(self.templates.get_template(OFFICE)?.render(context! {
            // Origins need no HTML escaping.
            proxy => Value::from_safe_string(config.proxy.to_string()),
        })?)
    }

    /// The login page of the back office.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn login(&self) -> Result<String, PageError> {
        Ok(self.templates.get_template(LOGIN)?.render(context! {})?)
    }

    /// The playground, with an order for a price and one whose payer chooses the amount.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn playground(
        &self,
        config: &Config,
        [order, open_order]: [&Order; 2],
    ) -> Result<String, PageError> {
        let sign = |order: &Order| order.sign(&config.order_key, config.origin.as_ref());
        Ok(self.templates.get_template(PLAYGROUND)?.render(context! {
            // Origins need no HTML escaping.
            proxy => Value::from_safe_string(config.proxy.to_string()),
            order => sign(order)?,
            open_order => sign(open_order)?,
            codes => ACCEPTED.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(),
            languages => playground::LANGUAGES,
            colours => playground::COLOURS,
            sizes => playground::SIZES,
            presets => playground::PRESETS.map(|(name, values)| {
                let values: BTreeMap<_, _> = values.iter().copied().collect();
                (name, json!(values).to_string())
            }),
            screens => screens::SCREENS,
            invoice => order.invoice.as_str(),
            sandbox => config.sandbox.as_ref().map(|sandbox| Value::from_safe_string(sandbox.to_string())),
        })?)
    }

    /// The page of an order.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn order(&self, invoice: &Invoice, is_paid: bool) -> Result<String, PageError> {
        Ok(self.templates.get_template(ORDER)?.render(context! {
            invoice => invoice.as_str(),
            is_paid,
        })?)
    }

    /// The page for buyers who can't use the checkout.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn pay(&self, invoice: &Invoice) -> Result<String, PageError> {
        Ok(self.templates.get_template(PAY)?.render(context! {
            invoice => invoice.as_str(),
        })?)
    }
}
