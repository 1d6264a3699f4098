//! The npm package, as `cargo xtask npm` packs it.

mod loader;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Browser, Servers, dist, output};
use crate::types::compile;

const SHOP: &str = include_str!("types/package.ts");

/// Unpacks the package into the `node_modules` of this folder.
pub(crate) fn install(folder: &Path) {
    let package = folder.join("node_modules/tender-checkout");
    fs::create_dir_all(&package).unwrap();
    let tarball = std::env::var_os("TENDER_NPM")
        .expect("TENDER_NPM names the npm package; `cargo xtask test e2e` packs it");
    let unpacked = Command::new("tar")
        .args(["--extract", "--gzip", "--strip-components=1", "--file"])
        .arg(tarball)
        .arg("--directory")
        .arg(&package)
        .status();
    assert!(unpacked.unwrap().success());
}

/// A folder with the package, and the package.
fn installed() -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::new().unwrap();
    install(folder.path());
    let package = folder.path().join("node_modules/tender-checkout");
    (folder, package)
}

fn json_of(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn the_package_has_the_served_types_and_no_dependencies() {
    let (_folder, package) = installed();
    let files = fs::read_dir(&package).unwrap();
    let files: BTreeSet<_> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "attributes.d.ts",
        "checkout.d.ts",
        "custom-elements.json",
        "index.d.ts",
        "index.js",
        "package.json",
        "payments.d.ts",
        "react.d.ts",
        "svelte.d.ts",
        "vue.d.ts",
    ];
    assert_eq!(files, expected.map(str::to_owned).into());
    for types in ["checkout.d.ts", "payments.d.ts"] {
        let packed = fs::read_to_string(package.join(types)).unwrap();
        let served = fs::read_to_string(dist().join("v1").join(types)).unwrap();
        assert!(packed == served, "{types}");
    }
    let description = json_of(&package.join("package.json"));
    assert_eq!(description["version"], env!("CARGO_PKG_VERSION"));
    for kind in [
        "dependencies",
        "peerDependencies",
        "optionalDependencies",
        "scripts",
    ] {
        assert_eq!(description.get(kind), None, "{kind}");
    }
}

/// A server that renders pages imports and calls it.
#[test]
fn without_a_page_nothing_happens() {
    let (folder, _) = installed();
    let script = "
        const before = Object.keys(globalThis).join();
        const { loadTender } = await import('tender-checkout');
        const loaded = await loadTender({ src: '/v1/checkout.js' });
        console.log(loaded, Object.keys(globalThis).join() === before)";
    let mut node = Command::new("node");
    node.current_dir(folder.path());
    let said = output(node.args(["--input-type=module", "--eval", script]));
    assert_eq!(said.trim(), "undefined true");
}

#[test]
fn a_shop_in_typescript_imports_the_package() {
    let (folder, _) = installed();
    fs::write(folder.path().join("package.mts"), SHOP).unwrap();
    compile(folder.path(), "package.mts");
}

/// The manifest is made of the documentation; here it is compared with the registered elements and with the types.
#[tokio::test(flavor = "multi_thread")]
async fn the_manifest_describes_the_real_elements() {
    let (_folder, package) = installed();
    let manifest = json_of(&package.join("custom-elements.json"));
    let servers = Servers::open().await;
    let proxy = servers.proxy_url();
    let browser = Browser::start().await;
    let page = servers.page(&format!(
        "<script src=\"{proxy}/v1/checkout.js\"></script><script src=\"{proxy}/v1/payments.js\"></script>"
    ));
    browser.go(&page).await;
    let script = "
        const { prototype, attributes, properties } = customElements.get(arguments[0]);
        const members = new Set();
        for (let object = prototype; object !== HTMLElement.prototype; object = Object.getPrototypeOf(object)) {
          for (const name of Object.getOwnPropertyNames(object)) members.add(name);
        }
        const isCalledByTheBrowser = (name) => name === 'constructor' || name.endsWith('Callback');
        return [attributes, [...members].filter((name) => !isCalledByTheBrowser(name))]";
    let modules = manifest["modules"].as_array().unwrap();
    assert_eq!(modules.len(), 2);
    for module in modules {
        let described = &module["declarations"][0];
        let names = |list: &str| -> BTreeSet<String> {
            let list = described[list].as_array().unwrap().iter();
            list.map(|entry| entry["name"].as_str().unwrap().to_owned())
                .collect()
        };
        let tag = described["tagName"].as_str().unwrap();
        let [attributes, members]: [BTreeSet<String>; 2] = browser.run(script, [json!(tag)]).await;
        assert_eq!(names("attributes"), attributes, "{tag}");
        assert_eq!(names("members"), members, "{tag}");
        let types = fs::read_to_string(package.join(module["path"].as_str().unwrap())).unwrap();
        let shared = fs::read_to_string(package.join("checkout.d.ts")).unwrap();
        let (_, shared) = shared
            .split_once("interface TenderSharedEventDetails")
            .unwrap();
        let (shared, _) = shared.split_once("\n}\n").unwrap();
        let (_, own) = types
            .split_once("extends TenderSharedEventDetails")
            .unwrap();
        let (own, _) = own.split_once("\n}\n").unwrap();
        let events = format!("{shared}{own}");
        let events = events.split('"').filter(|word| word.starts_with("tender-"));
        assert_eq!(
            names("events"),
            events.map(str::to_owned).collect(),
            "{tag}"
        );
        assert!(!names("cssProperties").is_empty());
    }
}
