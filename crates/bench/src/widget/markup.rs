//! The HTML that a shop writes to embed a variant.

use std::fmt::Write as _;
use std::path::Path;

use fs_err as fs;
use serde_json::Value;

use super::nginx::LISTING;
use super::variant::Variant;
use crate::error::Error;

/// The form for the attributes of the signed order and of the shop's page.
pub(super) const FORM: &str = "/v1/checkout.html?token=usdtt&quantity=25.00&locale=en";

/// What the shop's pages contain.
pub(super) struct Markup {
    /// The origin of the checkouts, for files and API.
    address: String,
    /// The same without `/v1/checkout.html`.
    unrouted: String,
    /// The preload tags in the head of the shop's page, which save waiting for the loader.
    preload_form: String,
    preload_module: String,
    /// The form in the shop's page, with inline and with linked styles, without an order.
    forms: [String; 2],
    /// Adyen's payment methods, which its documentation embeds in the page.
    payment_methods: String,
}

impl Markup {
    /// Reads what the pages contain from `dist`, the built widget, and `others`, the built floors and other checkouts.
    pub(super) fn read(
        dist: &Path,
        others: &Path,
        address: String,
        unrouted: String,
        forms: [String; 2],
    ) -> Result<Self, Error> {
        let methods = others.join("answers/payment-methods.json");
        Ok(Self {
            preload_form: preload_form(&address),
            preload_module: preload_module(dist, &address)?,
            payment_methods: fs::read_to_string(&methods)?,
            forms,
            address,
            unrouted,
        })
    }

    /// The URL of the proxy's payment page, for a signed order.
    pub(super) fn payment_page(&self, order: &str) -> String {
        format!("{}/pay?order={order}", self.address)
    }

    /// The head and the body of the shop's page, for a signed order.
    pub(super) fn of(&self, variant: Variant, order: &str) -> (String, String) {
        let address = &self.address;
        let key = variant.key();
        let none = String::new();
        let [inline, linked] = &self.forms;
        match variant {
            Variant::Tender => (none, tender(address, order)),
            Variant::TenderPreloaded => (self.preload_form.clone(), element(address, order)),
            Variant::TenderAllPreloaded => (
                format!("{}{}", self.preload_form, self.preload_module),
                element(address, order),
            ),
            Variant::TenderInPage => (none, in_page(address, order, inline)),
            Variant::TenderInPageLinked => (none, in_page(address, order, linked)),
            Variant::TenderUnrouted => (none, tender(&self.unrouted, order)),
            Variant::Hosted => (
                none,
                format!("<a href=\"{}\">Pay</a>", self.payment_page(order)),
            ),
            Variant::Plain | Variant::Preact => {
                let script = format!(
                    "<script src=\"{address}/floors/{key}.js\" async></script>
                     <div id=\"checkout\" data-proxy=\"{address}\" data-order=\"{order}\"></div>"
                );
                (none, script)
            }
            Variant::Adyen | Variant::Depay | Variant::Request => {
                let style = format!(
                    "<link rel=\"stylesheet\" href=\"{address}/peers/{key}.css\" crossorigin>"
                );
                let head = if variant == Variant::Depay {
                    none
                } else {
                    style
                };
                let answer = if variant == Variant::Adyen {
                    &self.payment_methods
                } else {
                    "{}"
                };
                let body = format!(
                    "<div id=\"checkout\" data-answers=\"{address}/answers\"></div>
                     <script type=\"application/json\" id=\"answer\">{answer}</script>
                     <script type=\"module\" src=\"{address}/peers/{key}.js\" async></script>"
                );
                (head, body)
            }
        }
    }
}

fn tender(address: &str, order: &str) -> String {
    let element = element(address, order);
    format!("<script src=\"{address}/v1/checkout.js\" async></script>{element}")
}

fn element(address: &str, order: &str) -> String {
    format!("<tender-checkout proxy=\"{address}\" order=\"{order}\"></tender-checkout>")
}

/// The element with this form inside, and the loader behind it.
fn in_page(address: &str, order: &str, form: &str) -> String {
    let form = form.replace("{{order}}", order);
    format!(
        "<tender-checkout proxy=\"{address}\" order=\"{order}\"><template shadowrootmode=\"open\">{form}</template>\
         </tender-checkout><script src=\"{address}/v1/checkout.js\" async></script>"
    )
}

/// The loader's tag and the preload tags of the form and the listing, as docs/embedding.md shows.
fn preload_form(address: &str) -> String {
    let form = FORM.replace('&', "&amp;");
    let links = [form.as_str(), LISTING].map(|path| {
        format!("<link rel=\"preload\" as=\"fetch\" href=\"{address}{path}\" crossorigin>")
    });
    let loader =
        format!("<script src=\"{address}/v1/checkout.js\" async fetchpriority=\"high\"></script>");
    loader + &links.concat()
}

/// Those of the module and its glue, generated like a shop's backend would.
fn preload_module(dist: &Path, address: &str) -> Result<String, Error> {
    let path = dist.join("v1/checkout.preload.json");
    let names = fs::read(&path)?;
    let names: Value = serde_json::from_slice(&names).unwrap_or_default();
    let mut lines = String::new();
    for (kind, link) in [
        ("modulepreload", "rel=\"modulepreload\""),
        ("fetch", "rel=\"preload\" as=\"fetch\""),
    ] {
        let names = names.get(kind).and_then(Value::as_array);
        for name in names.into_iter().flatten().filter_map(Value::as_str) {
            // Writing to a string can't fail.
            let _ = write!(
                lines,
                "<link {link} href=\"{address}/v1/{name}\" crossorigin>"
            );
        }
    }
    Ok(lines)
}
