//! The npm package, as `cargo xtask npm` packs it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Browser, Engine, Servers, dist, in_each_engine, until};

const LOADER: &str = include_str!("../../../../npm/index.js");
const COMPONENT: &str = include_str!("../../../../npm/react.js");
const SHOP: &str = include_str!("types/package.ts");

/// Unpacks the package into the `node_modules` of this folder.
fn install(folder: &Path) {
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

/// A folder with the package, below the one with the libraries of an example, where Node.js looks for them.
pub(crate) fn install_beside(example: &str) -> TempDir {
    let variable = format!("EXAMPLE_{}", example.to_uppercase());
    let libraries = std::env::var_os(&variable).unwrap_or_else(|| {
        panic!("{variable} names the libraries of examples/{example}; `cargo xtask test e2e` brings them")
    });
    let home = Path::new(&libraries).parent().unwrap();
    let folder = tempfile::Builder::new().tempdir_in(home).unwrap();
    install(folder.path());
    folder
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

/// Runs a program, which must succeed, and returns its output.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{error}");
    said
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
fn the_react_component_has_a_prop_for_each_attribute_and_each_event() {
    let folder = install_beside("react");
    let manifest = folder
        .path()
        .join("node_modules/tender-checkout/custom-elements.json");
    let manifest = json_of(&manifest);
    let element = &manifest["modules"][0]["declarations"][0];

    let (_, names) = COMPONENT.split_once("const names = [").unwrap();
    let (names, _) = names.split_once(']').unwrap();
    let names = names.split('"').skip(1).step_by(2);
    let events = element["events"].as_array().unwrap().iter();
    assert_eq!(
        names
            .map(|name| format!("tender-{name}"))
            .collect::<BTreeSet<_>>(),
        events
            .map(|event| event["name"].as_str().unwrap().to_owned())
            .collect()
    );

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

/// Nobody could find the source of such a package.
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

#[test]
fn a_shop_in_typescript_imports_the_package() {
    let (folder, _) = installed();
    fs::write(folder.path().join("package.mts"), SHOP).unwrap();
    let compiler = std::env::var_os("TSC")
        .expect("TSC names TypeScript's compiler; `cargo xtask test e2e` brings it");
    output(
        Command::new(compiler)
            .current_dir(folder.path())
            .args(["--noEmit", "--strict", "--exactOptionalPropertyTypes"])
            .args(["--target", "es2022", "--lib", "es2022,dom"])
            .args(["--module", "nodenext", "package.mts"]),
    );
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
    browser.driver().goto(&page).await.unwrap();
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

/// A page that has `loadTender`, under this Content Security Policy.
async fn page_with_loader(servers: &Servers, browser: &Browser, policy: &str) {
    let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    open(servers, browser, &meta).await;
}

/// A page that has `loadTender` below this HTML.
async fn open(servers: &Servers, browser: &Browser, html: &str) {
    let page = servers.page(&format!(
        "{html}<script type=\"module\" nonce=\"of-this-page\">{LOADER} window.loadTender = loadTender;</script>"
    ));
    browser.driver().goto(&page).await.unwrap();
    until("the page's script", async || {
        let is_there: bool = browser.run("return 'loadTender' in window", []).await;
        Ok(is_there.then_some(()))
    })
    .await;
}

/// Calls `loadTender`, and returns the error's message.
async fn load(browser: &Browser, options: Value) -> Option<String> {
    let script = "return loadTender(arguments[0]).then(() => null, (error) => error.message)";
    browser.run(script, [options]).await
}

/// The loaders that the page has requested.
async fn requests(browser: &Browser) -> Vec<String> {
    let script = "
        const requests = performance.getEntriesByType('resource').map(({ name }) => name);
        return requests.filter((name) => /\\/(checkout|payments)[^/]*\\.js$/.test(name))";
    browser.run(script, []).await
}

/// Adds a checkout to the page, and buys in it: the script finds its files.
async fn buys(servers: &Servers, browser: &Browser, invoice: &str) {
    let claims = json!({ "token": "usdtt", "quantity": "3.25", "invoiceNumber": invoice });
    let script = "
        const [proxy, order] = arguments;
        document.body.append(Object.assign(document.createElement('tender-checkout'), { proxy, order, locale: 'de' }));
        return null";
    let arguments = [json!(servers.proxy_url()), json!(servers.sign(claims))];
    let _: Value = browser.run(script, arguments).await;
    let checkout = browser.checkout("tender-checkout").await;
    checkout.choose("Tether USD, TRON").await;
    checkout.press_part("submit").await;
    assert_eq!(checkout.attribute("amount", "data-value").await, "3.25");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_load_one_script() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    page_with_loader(&servers, &browser, "").await;
    let proxy = servers.proxy_url();
    let src = format!("{proxy}/v1/checkout.js");
    let script = "return Promise.all([loadTender({ src: arguments[0] }), loadTender({ src: new URL(arguments[0]) })])
        .then(() => Boolean(customElements.get('tender-checkout')))";
    let is_registered: bool = browser.run(script, [json!(src)]).await;
    assert!(is_registered);
    assert_eq!(load(&browser, json!({ "src": src })).await, None);
    assert_eq!(requests(&browser).await, [src.as_str()]);

    // The other element has a script of its own.
    let payments = format!("{proxy}/v1/payments.js");
    assert_eq!(load(&browser, json!({ "src": payments })).await, None);
    assert_eq!(requests(&browser).await, [src, payments]);
}

/// The page may have the script tag, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_registered_element_is_not_loaded_again() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let src = format!("{}/v1/checkout.js", servers.proxy_url());
    open(
        &servers,
        &browser,
        &format!("<script src=\"{src}\"></script>"),
    )
    .await;
    assert_eq!(load(&browser, json!({ "src": src })).await, None);
    assert_eq!(requests(&browser).await, [src]);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failure_the_next_call_tries_again() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    page_with_loader(&servers, &browser, "").await;
    let src = format!("{}/v1/checkout.js", servers.proxy_url());
    browser.block(&["*/v1/checkout.js*"]).await;
    let expected = format!(
        "{src} could not be loaded: check the address, the network and the page's Content Security Policy"
    );
    for _ in 0..2 {
        assert_eq!(
            load(&browser, json!({ "src": src })).await,
            Some(expected.clone())
        );
    }
    browser.block(&[]).await;
    assert_eq!(load(&browser, json!({ "src": src })).await, None);
    buys(&servers, &browser, "INV-1042").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_script_is_an_error() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    page_with_loader(&servers, &browser, "").await;
    let preload = json_of(&dist().join("v1/checkout.preload.json"));
    let glue = preload["modulepreload"][0].as_str().unwrap();
    let src = format!("{}/v1/{glue}", servers.proxy_url());
    let expected = format!(
        "{src} did not register <tender-tender>: check that it is the proxy's checkout.js or payments.js"
    );
    assert_eq!(load(&browser, json!({ "src": src })).await, Some(expected));
}

/// With a policy that names no origin, the script needs the page's nonce.
#[tokio::test(flavor = "multi_thread")]
async fn the_script_gets_the_nonce_of_the_page() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    page_with_loader(&servers, &browser, "script-src 'nonce-of-this-page'").await;
    let src = format!("{}/v1/checkout.js", servers.proxy_url());
    let refused = load(&browser, json!({ "src": src, "nonce": "of-another-page" })).await;
    assert!(refused.is_some());
    let options = json!({ "src": src, "nonce": "of-this-page" });
    assert_eq!(load(&browser, options).await, None);
}

/// The loader without a version, and the pinned one.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_another_hash_is_refused() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let manifest = json_of(&dist().join("v1/checkout.integrity.json"));
    for name in ["checkout.js", manifest["loader"].as_str().unwrap()] {
        page_with_loader(&servers, &browser, "").await;
        let src = format!("{}/v1/{name}", servers.proxy_url());
        let script = "
            const content = await (await fetch(arguments[0])).arrayBuffer();
            const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', content));
            return `sha384-${btoa(String.fromCharCode(...hash))}`";
        let integrity: String = browser.run(script, [json!(src)]).await;
        let other = integrity.chars().rev().filter(|c| c.is_alphanumeric());
        let wrong = format!("sha384-{}", other.take(64).collect::<String>());
        let refused = load(&browser, json!({ "src": src, "integrity": wrong })).await;
        assert!(refused.is_some(), "{name}");
        let options = json!({ "src": src, "integrity": integrity });
        assert_eq!(load(&browser, options).await, None, "{name}");
        buys(&servers, &browser, name).await;
    }
}

in_each_engine!(an_import_needs_neither_a_policy_nor_a_nonce);

/// It has the nonce of the page's script. Browsers without Trusted Types ignore their directives.
async fn an_import_needs_neither_a_policy_nor_a_nonce(engine: Engine) {
    let servers = Servers::open().await;
    let browser = Browser::start_in(engine, &[]).await;
    let manifest = json_of(&dist().join("v1/checkout.integrity.json"));
    for name in ["checkout.js", manifest["loader"].as_str().unwrap()] {
        let policy = "script-src 'nonce-of-this-page' 'wasm-unsafe-eval'; \
            require-trusted-types-for 'script'; trusted-types 'none'";
        page_with_loader(&servers, &browser, policy).await;
        let src = format!("{}/v1/{name}", servers.proxy_url());
        assert_eq!(load(&browser, json!({ "src": src })).await, None, "{name}");
        buys(&servers, &browser, name).await;
    }
}

/// The address of a script element does, which only a script with a hash or a nonce has.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_a_hash_needs_a_trusted_address() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let policy = "require-trusted-types-for 'script'; trusted-types shop";
    page_with_loader(&servers, &browser, policy).await;
    let manifest = json_of(&dist().join("v1/checkout.integrity.json"));
    let loader = manifest["loader"].as_str().unwrap();
    let src = format!("{}/v1/{loader}", servers.proxy_url());
    let integrity = manifest["integrity"][loader].clone();
    let refused = load(&browser, json!({ "src": src, "integrity": integrity })).await;
    assert!(refused.is_some());
    let script = "
        const [src, integrity] = arguments;
        const shop = trustedTypes.createPolicy('shop', { createScriptURL: (address) => address });
        return loadTender({ src: shop.createScriptURL(src), integrity }).then(() => null, (error) => error.message)";
    let failed: Option<String> = browser.run(script, [json!(src), integrity]).await;
    assert_eq!(failed, None);
    buys(&servers, &browser, loader).await;
}
