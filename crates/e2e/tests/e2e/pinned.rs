//! A page that pins a release, by the address with its version and the hash of the loader: it gets exactly that release,
//! or the shop's fallback.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::broken::copy_of_dist;
use crate::support::{Browser, Engine, Role, Servers, in_each_engine, recorder};

in_each_engine! { only_the_pinned_files_run }

/// Servers whose proxy serves files of its own, and their manifest.
struct Release {
    _files: TempDir,
    manifest: Value,
    servers: Servers,
}

impl Release {
    async fn open(change: impl Fn(&Path, &Value)) -> Self {
        let files = copy_of_dist();
        let manifest = fs::read(files.path().join("checkout.integrity.json")).unwrap();
        let manifest = serde_json::from_slice(&manifest).unwrap();
        change(files.path(), &manifest);
        let folder = files.path().to_owned();
        let servers =
            Servers::open_with(move |proxy| proxy.server.assets = Some(folder.clone())).await;
        Self {
            _files: files,
            manifest,
            servers,
        }
    }

    /// A page with this loader.
    fn page(&self, loader: &str, integrity: &str) -> String {
        let order = self.servers.order("INV-1042");
        let proxy = self.servers.proxy_url();
        self.servers.page(&format!(
            "{}
             <script src=\"{proxy}/v1/{loader}\" integrity=\"{integrity}\" crossorigin async></script>
             <tender-checkout proxy=\"{proxy}\" order=\"{order}\" locale=\"de\">
               <a href=\"/other\">Pay otherwise</a>
             </tender-checkout>",
            recorder()
        ))
    }

    /// The page that pins the release.
    fn pinned(&self) -> String {
        let loader = self.manifest["loader"].as_str().unwrap();
        self.page(loader, self.manifest["integrity"][loader].as_str().unwrap())
    }
}

/// Appends bytes to a file, and removes its compressed copies.
fn append(folder: &Path, name: &str, bytes: &[u8]) {
    let file = folder.join(name);
    let mut content = fs::read(&file).unwrap();
    content.extend(bytes);
    fs::write(&file, content).unwrap();
    for suffix in ["br", "gz"] {
        fs::remove_file(folder.join(format!("{name}.{suffix}"))).unwrap();
    }
}

async fn only_the_pinned_files_run(engine: Engine) {
    let browser = Browser::start_in(engine, &[]).await;

    let release = Release::open(|_, _| {}).await;
    let checkout = browser.visit(&release.pinned()).await;
    // Its texts are verified, too.
    let texts = include_str!("../../../../locales/de.json");
    let texts: Value = serde_json::from_str(texts).unwrap();
    checkout.reads(texts["total"].as_str().unwrap()).await;
    checkout.choose("Bitcoin, Bitcoin").await;
    checkout.press_part("submit").await;
    let amount = checkout.attribute("amount", "data-value").await;
    let payment = release.servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), amount);

    // The module, with an empty custom section, which changes nothing.
    let module = Release::open(|files, manifest| {
        let mut names = manifest["integrity"].as_object().unwrap().keys();
        let module = names.find(|name| name.ends_with("_bg.wasm")).unwrap();
        append(files, module, b"\0\x02\x01x");
    })
    .await;
    let checkout = browser.visit(&module.pinned()).await;
    checkout.alert().await;
    assert!(checkout.shows_fallback().await);
    let event = browser.event("tender-error").await.detail;
    assert_eq!(event["code"], "load-failed");
    assert!(checkout.names(Role::Radio).await.is_empty());
    // The loader without a version runs the changed file: it is valid, so only the hash tells.
    browser.visit(&module.page("checkout.js", "")).await;
    browser.event("tender-ready").await;
}
