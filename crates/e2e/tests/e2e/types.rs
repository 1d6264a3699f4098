//! The types that ship with the elements.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{dist, output};

const SHOP: &str = include_str!("types/shop.ts");
const TYPES: [&str; 2] = ["checkout.d.ts", "payments.d.ts"];
/// Each loader, and the import name of its types.
const LOADERS: [(&str, &str); 2] = [
    (include_str!("../../../../src/checkout.js"), "checkout"),
    (
        include_str!("../../../payments/src/payments.js"),
        "payments",
    ),
];

/// Correct code compiles, and incorrect code does not.
#[test]
fn a_shop_in_typescript_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("shop.ts"), SHOP).unwrap();
    fs::create_dir(at.join("v1")).unwrap();
    for types in TYPES {
        fs::copy(dist().join("v1").join(types), at.join("v1").join(types)).unwrap();
    }
    compile(at, "shop.ts");
}

/// Compiles a file of this folder, with the strictest options.
pub(crate) fn compile(folder: &Path, file: &str) {
    let compiler = std::env::var_os("TSC")
        .expect("TSC names TypeScript's compiler; `cargo xtask test e2e` brings it");
    output(
        Command::new(compiler)
            .current_dir(folder)
            .args(["--noEmit", "--strict", "--exactOptionalPropertyTypes"])
            .args(["--target", "es2022", "--lib", "es2022,dom"])
            .args(["--module", "nodenext", file]),
    );
}

/// The example uses every attribute and event.
#[test]
fn that_shop_uses_each_attribute_and_each_event() {
    for (loader, element) in LOADERS {
        let (_, attributes) = loader.split_once("static attributes = [").unwrap();
        let (attributes, _) = attributes.split_once(']').unwrap();
        let attributes: Vec<_> = attributes.split('"').skip(1).step_by(2).collect();
        assert!(attributes.contains(&"proxy"), "{attributes:?}");
        for attribute in attributes {
            let set = format!("\n{element}.{} = ", property(attribute));
            let shop = SHOP.replace("\n  ", "\n");
            assert!(shop.contains(&set), "{attribute} of {element}");
        }
    }
    for types in TYPES {
        let types = fs::read_to_string(dist().join("v1").join(types)).unwrap();
        let events: Vec<_> = types
            .split('"')
            .filter(|word| {
                word.starts_with("tender-") && !LOADERS.iter().any(|(_, tag)| word.ends_with(tag))
            })
            .collect();
        assert!(!events.is_empty());
        for event in events {
            let received = format!("addEventListener(\"{event}\", ");
            assert!(SHOP.contains(&received), "{event}");
        }
    }
}

/// Converts `invoice-number` to a property name.
fn property(attribute: &str) -> String {
    let mut words = attribute.split('-');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(1);
        name.push_str(&first.to_uppercase());
        name.push_str(rest);
    }
    name
}
