//! The custom elements manifest, from which editors complete and explain the elements:
//! <https://github.com/webcomponents/custom-elements-manifest>. It is made of the tables in the documentation.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::tables::{Entry, Page, entries};

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
    let header = "| property | default (light, dark) | used for |";
    let style = listed(
        &checkout,
        header,
        |entry| json!({ "name": entry.name, "default": entry.second, "description": entry.description }),
    )?;
    let slots = listed(&checkout, "| slot | content |", named)?;
    let parts = listed(&checkout, "| part | what it is |", named)?;
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
    let slots = [&[fallback], slots].concat();
    let header = "| attribute | required | meaning |";
    let attributes = listed(page, header, |entry| {
        json!({
            "name": entry.name,
            "fieldName": property(&entry.name),
            "description": entry.description,
            "type": { "text": if entry.is_boolean() { "boolean" } else { "string" } },
        })
    })?;
    let mut members = listed(page, header, |entry| {
        json!({
            "kind": "field",
            "name": property(&entry.name),
            "attribute": entry.name,
            "reflects": true,
            "description": entry.description,
            "type": { "text": if entry.is_boolean() { "boolean" } else { "string | null" } },
        })
    })?;
    members.extend(element.properties.iter().map(|[name, of, description]| {
        json!({ "kind": "field", "name": name, "description": description, "type": { "text": of } })
    }));
    let methods = listed(
        page,
        "| method | |",
        |entry| json!({ "kind": "method", "name": entry.name, "description": entry.description }),
    )?;
    members.extend(methods);
    let events = listed(page, "| event | detail |", |entry| {
        let of = format!("CustomEvent<{}[\"{}\"]>", element.details, entry.name);
        json!({ "name": entry.name, "description": entry.description, "type": { "text": of } })
    })?;
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

/// What the table with this header lists, each entry in this form.
fn listed(page: &Page, header: &str, form: impl Fn(&Entry) -> Value) -> Result<Vec<Value>> {
    Ok(entries(page, header)?.iter().map(form).collect())
}

fn named(entry: &Entry) -> Value {
    json!({ "name": entry.name, "description": entry.description })
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
    fn the_manifest_has_boolean_attributes() {
        let folder = tempfile::tempdir().unwrap();
        let tables = "| attribute | required | meaning |\n|---|---|---|\n| `proxy` | yes | address |\n\
                      | `is-on` | no | boolean: whether it is on |\n\n| method | |\n\n| event | detail |\n";
        fs_err::write(folder.path().join("page.md"), tables).unwrap();
        let page = Page::read(folder.path(), "page.md").unwrap();
        let module = module(&CHECKOUT, &page, &[], &[], &[]).unwrap();
        let types = |list: &str| {
            let list = module["declarations"][0][list].as_array().unwrap().iter();
            let types = list.map(|entry| entry["type"]["text"].as_str().unwrap());
            types.take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(types("attributes"), ["string", "boolean"]);
        assert_eq!(types("members"), ["string | null", "boolean"]);
    }
}
