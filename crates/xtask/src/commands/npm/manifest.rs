//! The custom elements manifest, from which editors complete and explain the elements:
//! <https://github.com/webcomponents/custom-elements-manifest>. It is made of the tables in the documentation.

use std::iter;
use std::path::Path;

use serde_json::{Value, json};

use super::tables::{Entry, Page, description, entries, named, plain, rows};
use crate::error::Result;

/// The version of the manifest's format.
const SCHEMA: &str = "2.1.0";

/// An element, and the page that documents it.
struct Element {
    tag: &'static str,
    class: &'static str,
    details: &'static str,
    types: &'static str,
    page: &'static str,
    description: &'static str,
    /// Properties without an attribute: name, type and description.
    properties: &'static [[&'static str; 3]],
}

const CHECKOUT: Element = Element {
    tag: "tender-checkout",
    class: "TenderCheckoutElement",
    details: "TenderEventDetails",
    types: "checkout.d.ts",
    page: "docs/embedding.md",
    description: "A crypto checkout. Its children are shown if it can't be loaded.",
    properties: &[[
        "provider",
        "Eip1193Provider | Eip6963ProviderDetail | null",
        "a wallet added by the shop, such as WalletConnect, for payments on Ethereum or BNB Smart Chain",
    ]],
};

const PAYMENTS: Element = Element {
    tag: "tender-payments",
    class: "TenderPaymentsElement",
    details: "TenderPaymentsEventDetails",
    types: "payments.d.ts",
    page: "docs/merchant.md",
    description: "The payments of a shop, for its back office. Its children are shown if it can't be loaded.",
    properties: &[],
};

/// The manifest of both elements. `root` is the repository.
pub(super) fn of(root: &Path) -> Result<Value> {
    let checkout = Page::read(root, CHECKOUT.page)?;
    let payments = Page::read(root, PAYMENTS.page)?;
    // The dashboard has the checkout's custom properties, but no other slots, and documents no parts.
    let style = properties(&checkout)?;
    let slots = listed(&checkout, "| slot | content |")?;
    let parts = listed(&checkout, "| part | what it is |")?;
    Ok(json!({
        "schemaVersion": SCHEMA,
        "modules": [
            module(&CHECKOUT, &checkout, &style, &slots, &parts)?,
            module(&PAYMENTS, &payments, &style, &[], &[])?,
        ],
    }))
}

fn module(
    element: &Element,
    page: &Page,
    style: &[Value],
    slots: &[Value],
    parts: &[Value],
) -> Result<Value> {
    let fallback = json!({ "name": "", "description": "Shown if the element can't be loaded, and without JavaScript." });
    let slots: Vec<_> = iter::once(&fallback).chain(slots).collect();
    let attributes = entries(page, "| attribute | required | meaning |")?;
    let events = entries(page, "| event | detail |")?;
    let methods = entries(page, "| method | |")?;
    let fields = attributes.iter().map(|Entry { name, description }| {
        json!({
            "kind": "field",
            "name": property(name),
            "attribute": name,
            "reflects": true,
            "description": description,
            "type": { "text": "string | null" },
        })
    });
    let properties = element.properties.iter().map(|[name, of, description]| {
        json!({ "kind": "field", "name": name, "description": description, "type": { "text": of } })
    });
    let methods = methods.iter().map(|Entry { name, description }| {
        json!({ "kind": "method", "name": name, "description": description })
    });
    let members: Vec<_> = fields.chain(properties).chain(methods).collect();
    let attributes = attributes.iter().map(|Entry { name, description }| {
        json!({
            "name": name,
            "fieldName": property(name),
            "description": description,
            "type": { "text": "string" },
        })
    });
    let attributes: Vec<_> = attributes.collect();
    let events = events.iter().map(|Entry { name, description }| {
        let of = format!("CustomEvent<{}[\"{name}\"]>", element.details);
        json!({ "name": name, "description": description, "type": { "text": of } })
    });
    let events: Vec<_> = events.collect();
    Ok(json!({
        "kind": "javascript-module",
        "path": element.types,
        "declarations": [{
            "kind": "class",
            "customElement": true,
            "tagName": element.tag,
            "name": element.class,
            "description": element.description,
            "superclass": { "name": "HTMLElement" },
            "attributes": attributes,
            "members": members,
            "events": events,
            "slots": slots,
            "cssProperties": style,
            "cssParts": parts,
        }],
        "exports": [{
            "kind": "custom-element-definition",
            "name": element.tag,
            "declaration": { "name": element.class },
        }],
    }))
}

/// The custom properties, with their defaults.
fn properties(page: &Page) -> Result<Vec<Value>> {
    let rows = rows(page, "| property | default (light, dark) | used for |")?;
    let properties = named(&rows).map(|(name, cells)| {
        let default = plain(cells.get(1).copied().unwrap_or_default());
        json!({ "name": name, "default": default, "description": description(cells) })
    });
    Ok(properties.collect())
}

/// What the table with this header lists: slots or parts.
fn listed(page: &Page, header: &'static str) -> Result<Vec<Value>> {
    let entries = entries(page, header)?;
    let listed = entries
        .iter()
        .map(|Entry { name, description }| json!({ "name": name, "description": description }));
    Ok(listed.collect())
}

/// `payment-token`: `paymentToken`
fn property(attribute: &str) -> String {
    let mut words = attribute.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
        name.chars().chain(capital).chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_become_properties() {
        assert_eq!(property("proxy"), "proxy");
        assert_eq!(property("purchase-email"), "purchaseEmail");
    }
}
