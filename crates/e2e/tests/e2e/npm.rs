//! The npm package, as `cargo xtask npm` packs it.

pub(crate) mod loader;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::frameworks::copy;
use crate::support::{Browser, Servers, dist, named, output, unpack};

/// Unpacks the package into the `node_modules` of this folder.
fn install(folder: &Path) -> PathBuf {
    let package = folder.join("node_modules/tender-checkout");
    unpack(named("TENDER_NPM"), &package);
    package
}

/// A folder with the package, below the one with the libraries of an example, where Node.js looks for them.
pub(crate) fn install_beside(example: &str) -> TempDir {
    let libraries = named(&format!("EXAMPLE_{}", example.to_uppercase()));
    let home = Path::new(&libraries).parent().unwrap();
    let folder = tempfile::Builder::new().tempdir_in(home).unwrap();
    install(folder.path());
    folder
}

/// A folder with the package, and the package.
fn installed() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let package = install(folder.path());
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
        "react.js",
        "server.d.ts",
        "server.js",
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
    for kind in ["dependencies", "optionalDependencies", "scripts"] {
        assert_eq!(description.get(kind), None, "{kind}");
    }
    // Only for the component, and not installed with the package.
    assert_eq!(description["peerDependencies"], json!({ "react": ">=18" }));
    let optional = json!({ "react": { "optional": true } });
    assert_eq!(description["peerDependenciesMeta"], optional);
    for field in ["homepage", "keywords", "license"] {
        assert!(description.get(field).is_some(), "{field}");
    }
    for field in ["bugs", "repository"] {
        let url = description[field]["url"].as_str().unwrap();
        assert!(url.contains("https://"), "{field}: {url}");
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

/// Its props are those of the manifest, which is compared with the element.
#[test]
fn the_react_component_has_a_prop_for_each_attribute() {
    let folder = install_beside("react");
    let manifest = folder
        .path()
        .join("node_modules/tender-checkout/custom-elements.json");
    let manifest = json_of(&manifest);
    let element = &manifest["modules"][0]["declarations"][0];

    // A server renders the attributes: the element and its fallback are there before the script.
    let script = "
        const { createElement } = await import('react');
        const { renderToString } = await import('react-dom/server');
        const { TenderCheckout } = await import('tender-checkout/react');
        const attributes = JSON.parse(process.argv[1]);
        const props = Object.fromEntries(attributes.map(({ name, fieldName }) => [fieldName, name]));
        const all = { ...props, className: 'class', provider: {}, onPaid() {} };
        console.log(renderToString(createElement(TenderCheckout, all, 'Fallback')))";
    let mut node = Command::new("node");
    node.current_dir(folder.path());
    node.args(["--input-type=module", "--eval", script]);
    let html = output(node.arg(element["attributes"].to_string()));
    let attributes = element["attributes"].as_array().unwrap().iter();
    let names = attributes.map(|attribute| attribute["name"].as_str().unwrap());
    let written: Vec<_> = names
        .chain(["class"])
        .map(|name| format!(" {name}=\"{name}\""))
        .collect();
    assert_eq!(
        html.trim(),
        format!(
            "<tender-checkout{}>Fallback</tender-checkout>",
            written.concat()
        )
    );
}

/// The package would link no source.
#[test]
fn a_package_with_a_placeholder_for_the_repository_is_not_published() {
    let folder = TempDir::new().unwrap();
    let package = folder.path().join("package");
    fs::create_dir(&package).unwrap();
    let description =
        json!({ "repository": { "url": "git+https://repository.invalid/tender.git" } });
    fs::write(package.join("package.json"), description.to_string()).unwrap();
    let mut tar = Command::new("tar");
    tar.args([
        "--create",
        "--gzip",
        "--file",
        "tender-checkout-0.1.0.tgz",
        "package",
    ]);
    output(tar.current_dir(&folder));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../npm/publish.sh");
    let refused = Command::new(script).arg(folder.path()).output().unwrap();
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && error.contains("`repository` in Cargo.toml"),
        "{error}"
    );
}

/// Correct code compiles with the strictest options, and incorrect code does not: with the types that the proxy serves, and
/// with the package.
#[test]
fn a_shop_in_typescript_compiles() {
    let (folder, _) = installed();
    copy(&dist().join("v1"), &folder.path().join("v1"));
    for (file, shop) in [
        ("shop.ts", include_str!("types/shop.ts")),
        ("package.mts", include_str!("types/package.ts")),
    ] {
        fs::write(folder.path().join(file), shop).unwrap();
        output(
            Command::new(named("TSC"))
                .current_dir(folder.path())
                .args(["--noEmit", "--strict", "--exactOptionalPropertyTypes"])
                .args(["--target", "es2022", "--lib", "es2022,dom"])
                .args(["--module", "nodenext", file]),
        );
    }
}

/// The manifest is made of the documentation; here it is compared with the registered elements.
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
        assert!(!names("cssProperties").is_empty());
    }
}
