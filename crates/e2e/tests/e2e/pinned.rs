//! A page that pins a release, by the address with its version and the hash of the loader: it gets exactly that release,
//! or the shop's fallback.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::frameworks::copy;
use crate::npm::loader::{manifest, pinned};
use crate::support::{Browser, Engine, Role, Servers, dist, in_each_engine, recorder};

in_each_engine! { only_the_pinned_files_run }

/// Servers whose proxy serves files of its own.
struct Release {
    _files: TempDir,
    servers: Servers,
}

impl Release {
    async fn open(change: impl Fn(&Path)) -> Self {
        let files = TempDir::new().unwrap();
        copy(&dist().join("v1"), files.path());
        change(files.path());
        let folder = files.path().to_owned();
        let servers =
            Servers::open_with(move |proxy| proxy.server.assets = Some(folder.clone())).await;
        Self {
            _files: files,
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
    let (loader, integrity) = pinned();

    let release = Release::open(|_| {}).await;
    let checkout = browser.visit(&release.page(&loader, &integrity)).await;
    // Its texts are verified, too.
    let texts = include_str!("../../../../locales/de.json");
    let texts: Value = serde_json::from_str(texts).unwrap();
    checkout.reads(texts["total"].as_str().unwrap()).await;
    checkout.pay_with("Bitcoin, Bitcoin").await;
    let amount = checkout.attribute("amount", "data-value").await;
    let payment = release.servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), amount);

    // The module, with an empty custom section, which changes nothing.
    let manifest = manifest();
    let mut names = manifest["integrity"].as_object().unwrap().keys();
    let module = names.find(|name| name.ends_with("_bg.wasm")).unwrap();
    let module = Release::open(|files| append(files, module, b"\0\x02\x01x")).await;
    let checkout = browser.visit(&module.page(&loader, &integrity)).await;
    checkout.alert().await;
    assert!(checkout.shows_fallback().await);
    let event = browser.event("tender-error").await.detail;
    assert_eq!(event["code"], "load-failed");
    assert!(checkout.names(Role::Radio).await.is_empty());
    // The loader without a version runs the changed file: it is valid, so only the hash tells.
    browser.visit(&module.page("checkout.js", "")).await;
    browser.event("tender-ready").await;
}
