//! The form in the HTML of a shop's page, which shows it before any script runs: what goes between the tags of a declarative
//! shadow root (HTML standard, "The template element").
//!
//! It is the same for all buyers, so a shop can keep it: the order is a placeholder.

use std::mem::{Discriminant, discriminant};

use serde::Deserialize;
use tender_checkout::InlineForm;
use tender_checkout::render::{self, Styles};
use utoipa::ToSchema;

use super::hosted::ATTRIBUTES;
use super::{Attributes, Form, NoForm};
use crate::config::Server;
use crate::http::assets::Assets;

/// What the shop replaces by the signed order.
const ORDER: &str = "{{order}}";

/// How the form brings its styles.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Inline {
    /// A `style` element, whose hash is in `checkout.integrity.json`.
    Style,
    /// A `link` to a file of the proxy.
    Link,
}

/// What a form in a shop's page needs of the proxy.
pub(crate) struct ShopPage {
    payment_page: String,
    styles: Styles,
}

impl ShopPage {
    /// # Errors
    /// Which setting is missing, or that the widget is.
    pub(crate) fn new(
        inline: Inline,
        server: &Server,
        assets: &Assets,
    ) -> Result<Self, &'static str> {
        let (path, sheet) = assets.style().ok_or(
            "the widget has no style sheet for a form in a page; build it with `cargo xtask dist`",
        )?;
        let styles = match inline {
            Inline::Style => {
                Styles::Sheet(String::from_utf8_lossy(sheet.content.plain()).into_owned())
            }
            Inline::Link => Styles::Link(server.public_address(&format!("/v1/{path}"))?),
        };
        Ok(Self {
            payment_page: server.payment_page()?,
            styles,
        })
    }

    /// The styles are the same for all forms of this kind.
    pub(super) fn kind(&self) -> Discriminant<Styles> {
        discriminant(&self.styles)
    }

    pub(super) fn html(self, attributes: &Attributes, form: &Form) -> Result<String, NoForm> {
        let known = ATTRIBUTES.map(|name| (name, name));
        // The page's own choice takes the place of `payment-token`.
        let known = known
            .into_iter()
            .filter(|(name, _)| *name != "payment-token");
        let known = known.chain([("lang", "locale")]);
        let fields = known
            .filter_map(|(name, attribute)| Some((name, attributes.get(attribute)?.to_owned())));
        let inline = InlineForm {
            action: self.payment_page,
            fields: [("order", ORDER.to_owned())]
                .into_iter()
                .chain(fields)
                .collect(),
        };
        let html = render::form(attributes.config()?, form.listing.clone(), Some(inline));
        let html = html.map_err(NoForm::Listing)?;
        Ok(render::shadow_root(self.styles, html, form.fingerprint()))
    }
}
