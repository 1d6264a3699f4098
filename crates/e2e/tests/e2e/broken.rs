//! The widget's files are missing, truncated, blocked or broken. Each time the buyer reads why, and can retry or use
//! the shop's fallback below.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::frameworks::copy;
use crate::support::office::{Office, invoices};
use crate::support::{Browser, Checkout, Role, Servers, Stage, State, dist, until};

const NOT_LOADED: &str = "The checkout could not be loaded";
const TRY_AGAIN: &str = "Check your connection, then try again.";
const UNSUPPORTED: &str =
    "It can't run in this browser. Use another browser, or choose another way to pay.";

/// The shop's fallback.
const FALLBACK: &str = "Pay without JavaScript";

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_without_webassembly() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let proxy = servers.proxy_url();
    let policy = format!("script-src {proxy}; connect-src {proxy}; style-src 'none'");
    let checkout = visit(&servers, &browser, &proxy, &policy).await;
    shows_failure(&browser, &checkout, UNSUPPORTED, false).await;
    assert!(checkout.names(Role::Button).await.is_empty());
}

/// At first, the proxy serves everything except this kind of file. Then it serves that too, and the buyer retries
/// without reloading the page. Browsers may remember that a script could not be loaded.
#[tokio::test(flavor = "multi_thread")]
async fn the_module_or_its_glue_is_not_found_until_it_is() {
    let browser = Browser::start().await;
    for kind in ["wasm", "js"] {
        let assets = copy_of_dist();
        let kept = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(assets.path()).unwrap() {
            let name = entry.unwrap().file_name();
            if name.to_str().unwrap().starts_with("tender-checkout-") && is_of(kind, &name) {
                fs::rename(assets.path().join(&name), kept.path().join(&name)).unwrap();
            }
        }
        let directory = assets.path().to_owned();
        let mut servers =
            Servers::open_with(move |proxy| proxy.server.assets = Some(directory.clone())).await;
        let checkout = browser.visit(&servers.shop_page("")).await;
        shows_failure(&browser, &checkout, TRY_AGAIN, true).await;

        servers.close_proxy().await;
        let mut files = fs::read_dir(kept.path()).unwrap().peekable();
        assert!(files.peek().is_some(), "something was missing");
        for entry in files {
            let entry = entry.unwrap();
            fs::rename(entry.path(), assets.path().join(entry.file_name())).unwrap();
        }
        servers.reopen_proxy().await;
        checkout.press("Try again").await;
        checkout.is_choosing().await;
        assert!(checkout.names(Role::Alert).await.is_empty());
        assert_eq!(
            browser.event_names().await,
            ["tender-error", "tender-ready"]
        );
    }
}

/// The connection is lost while the module is downloaded.
#[tokio::test(flavor = "multi_thread")]
async fn the_module_is_cut_off() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let origin = serve_half_of_the_module().await;
    let policy = format!(
        "script-src {origin} 'wasm-unsafe-eval'; connect-src {origin} {}",
        servers.proxy_url()
    );
    let checkout = visit(&servers, &browser, &origin, &policy).await;
    shows_failure(&browser, &checkout, TRY_AGAIN, true).await;
    checkout.press("Try again").await;
    until("another failure", async || {
        Ok((browser.event_names().await == ["tender-error"; 2]).then_some(()))
    })
    .await;
    checkout.get(Role::Button, "Try again").await;
}

/// The page breaks a browser function that the module needs, so the module crashes. The payment was just created, and
/// is shown again after a reload.
#[tokio::test(flavor = "multi_thread")]
async fn the_module_crashes() {
    let stage = Stage::open("en").await;
    let checkout = State::named("crashed").reach(&stage).await;
    let alert = "The checkout stopped working Reload the page to go on. A payment that you have \
                 started is kept. If you have already sent crypto, do not pay another way.";
    assert_eq!(checkout.alert().await, alert);
    let event = stage.browser.event("tender-error").await.detail;
    assert_eq!(
        (&event["code"], &event["retryable"]),
        (&json!("crashed"), &json!(false))
    );
    let message = event["message"].as_str().unwrap();
    assert!(
        message.starts_with("the module crashed: panicked at "),
        "{message}"
    );

    // Moving the element changes nothing.
    let script = "document.body.prepend(arguments[0]); return new Promise((resolve) => setTimeout(resolve, 100, null))";
    let host = checkout.host().to_json().unwrap();
    let _: serde_json::Value = stage.browser.run(script, [host]).await;
    assert_eq!(checkout.alert().await, alert);
    assert_eq!(
        stage.browser.event_names().await,
        ["tender-ready", "tender-created", "tender-error"]
    );

    checkout.press("Reload the page").await;
    let reloaded = stage.browser.checkout("main tender-checkout").await;
    assert_eq!(
        reloaded.amount().await,
        stage.servers.only_payment().quantity_pay.to_string()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_merchants_module_crashes() {
    let office = Office::with(1).await;
    office.log_in().await;
    office.shows(&invoices(1, 1)).await;
    office.browser.breaks_once().await;
    office.search("nothing that is there").await;
    office.reads("The list of payments stopped working").await;
    let event = office.browser.event("tender-error").await.detail;
    assert_eq!(event["code"], "crashed");
}

async fn shows_failure(
    browser: &Browser,
    checkout: &Checkout<'_>,
    sentence: &str,
    retryable: bool,
) {
    assert_eq!(checkout.alert().await, format!("{NOT_LOADED} {sentence}"));
    assert!(checkout.shows_fallback().await);
    let events = browser.events().await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].detail["code"], "load-failed");
    assert_eq!(events[0].detail["retryable"], retryable);
}

/// Opens a page with this policy, and loads the widget from `widget`.
async fn visit<'a>(
    servers: &Servers,
    browser: &'a Browser,
    widget: &str,
    policy: &str,
) -> Checkout<'a> {
    let order = servers.order("INV-1042");
    let page = servers.page(&format!(
        "<meta http-equiv=\"content-security-policy\" content=\"{policy}\">
         <script src=\"{widget}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{}\" order=\"{order}\"><a href=\"/pay\">{FALLBACK}</a></tender-checkout>",
        servers.proxy_url()
    ));
    browser.visit(&page).await
}

fn is_of(kind: &str, file: impl AsRef<Path>) -> bool {
    file.as_ref().extension().is_some_and(|own| own == kind)
}

/// A folder with the widget's files.
pub(crate) fn copy_of_dist() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&dist().join("v1"), folder.path());
    folder
}

/// A web server that closes each connection in the middle of the module. Returns its origin.
async fn serve_half_of_the_module() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (connection, _) = listener.accept().await.unwrap();
            tokio::spawn(answer(connection));
        }
    });
    origin
}

async fn answer(mut connection: TcpStream) -> std::io::Result<()> {
    let mut request = String::new();
    BufReader::new(&mut connection)
        .read_line(&mut request)
        .await?;
    let path = request.split(' ').nth(1).unwrap_or_default();
    let name = path
        .trim_start_matches("/v1/")
        .split('?')
        .next()
        .unwrap_or_default();
    let content = fs::read(dist().join("v1").join(name))?;
    let (kind, sent) = if is_of("wasm", name) {
        ("application/wasm", &content[..content.len() / 2])
    } else {
        ("text/javascript", &content[..])
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\
         access-control-allow-origin: *\r\nconnection: close\r\n\r\n",
        content.len()
    );
    connection.write_all(head.as_bytes()).await?;
    connection.write_all(sent).await?;
    connection.shutdown().await
}
