//! The form in the HTML of a shop's page, which shows it before any script runs: what goes between the tags of a declarative
//! shadow root (HTML standard, "The template element").
//!
//! It is the same for all buyers, so a shop can keep it: the order is a placeholder.

use axum::body::Bytes;
use serde::Deserialize;
use tender_checkout::InlineForm;
use tender_checkout::render::{self, Styles};
use tender_checkout_core::config::OFFERED;
use utoipa::ToSchema;

use super::{Attributes, Form, NoForm};
use crate::config::Server;
use crate::encoding::Encoded;

/// What the shop replaces by the signed order.
const ORDER: &str = "{{order}}";

/// How the form brings its styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Inline {
    /// A `style` element, whose hash is in `checkout.integrity.json`.
    Style,
    /// A `link` to a file of the proxy.
    Link,
}

/// What a form in a shop's page needs of the proxy.
pub(crate) struct ShopPage {
    pub(super) inline: Inline,
    payment_page: String,
    sheet: Bytes,
    sheet_address: String,
}

impl ShopPage {
    /// `sheet` is the style sheet of the form, with its path.
    ///
    /// # Errors
    /// Which setting is missing, or that the widget is.
    pub(crate) fn new(
        inline: Inline,
        server: &Server,
        sheet: Option<(&str, &Encoded)>,
    ) -> Result<Self, &'static str> {
        let (path, sheet) = sheet.ok_or(
            "the widget has no style sheet for a form in a page; build it with `cargo xtask dist`",
        )?;
        Ok(Self {
            inline,
            payment_page: server.payment_page()?,
            sheet: sheet.plain().clone(),
            sheet_address: server.public_address(&format!("/v1/{path}"))?,
        })
    }

    pub(super) fn html(self, attributes: &Attributes, form: &Form) -> Result<String, NoForm> {
        // Parameters of the payment page. The choice is the form's own field.
        let sent = OFFERED.into_iter().filter(|name| *name != "payment-token");
        let sent = sent.map(|name| (name, name)).chain([("lang", "locale")]);
        let sent = sent
            .filter_map(|(name, attribute)| Some((name, attributes.get(attribute)?.to_owned())));
        let inline = InlineForm {
            action: self.payment_page,
            fields: [("order", ORDER.to_owned())]
                .into_iter()
                .chain(sent)
                .collect(),
        };
        let html = render::form(attributes.config()?, form.listing.clone(), Some(inline));
        let html = html.map_err(NoForm::Listing)?;
        let styles = match self.inline {
            Inline::Style => Styles::Sheet(String::from_utf8_lossy(&self.sheet).into_owned()),
            Inline::Link => Styles::Link(self.sheet_address),
        };
        Ok(render::shadow_root(styles, html, form.fingerprint()))
    }
}
