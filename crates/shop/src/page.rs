//! The shop's pages: templates, and what fills them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};

use crate::config::Config;
use crate::options::Options;
use crate::order::{ARTICLE, Invoice, Order, OrderError, Price, SHIPPING};

const CHECKOUT: &str = "index.html";
const PAY: &str = "pay.html";
const OFFICE: &str = "office.html";
const LOGIN: &str = "login.html";

/// The buyer's address, known to the shop once the buyer has come to the payment.
const EMAIL: &str = "buyer@example.com";

/// The templates. Every value is escaped for HTML, and a name without a value is an error.
#[derive(Debug)]
pub struct Pages {
    templates: Environment<'static>,
}

/// Why a page can't be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The build left no page.
    #[error(
        "can't read {path}: {source}; build it with `cargo xtask dist`, or say where it is with --dist"
    )]
    Missing {
        /// Where it should be.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The template can't be read, or names something that the shop doesn't know.
    #[error("the page is not a template that the shop can fill: {0}")]
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
        templates.add_template(PAY, include_str!("pay.html"))?;
        templates.add_template(OFFICE, include_str!("office.html"))?;
        templates.add_template(LOGIN, include_str!("login.html"))?;
        Ok(Self { templates })
    }

    /// The checkout page, with a signed order in it.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn checkout(
        &self,
        config: &Config,
        options: &Options,
        invoice: Invoice,
    ) -> Result<String, PageError> {
        let order = Order {
            invoice,
            price: options.amount.is_none().then_some(ARTICLE + SHIPPING),
            email: options.ask.is_none().then(|| EMAIL.to_owned()),
        };
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
            // An origin and these attributes are safe in HTML as they are.
            proxy => Value::from_safe_string(config.proxy.to_string()),
            options => Value::from_safe_string(options.attributes()),
            order => order.sign(&config.order_key)?,
            invoice => order.invoice.as_str(),
            theme => options.theme.as_str(),
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
            // An origin is safe in HTML as it is.
            proxy => Value::from_safe_string(config.proxy.to_string()),
        })?)
    }

    /// Its door.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn login(&self) -> Result<String, PageError> {
        Ok(self.templates.get_template(LOGIN)?.render(context! {})?)
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
