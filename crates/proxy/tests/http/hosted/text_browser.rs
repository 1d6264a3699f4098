//! Paying in a text browser, lynx. It sends a `Secure` cookie over TLS only, so a TLS server is in front of the proxy.
//!
//! The test is skipped with a message if lynx is not installed. `LYNX` sets its path.

#[path = "../../nginx/tls.rs"]
mod tls;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;
use tokio::task::spawn_blocking;

use self::tls::tls;
use crate::nginx_server::program;
use crate::support::{World, order};

const DOWN: &str = "Down Arrow";

/// The keys from the form of six tokens: the fourth one, "Pay"; on the payment's page, the last link, "Cancel payment".
const PAY: [&str; 8] = [DOWN, DOWN, DOWN, "^J", DOWN, DOWN, DOWN, "^J"];

/// After the links to refresh, to enter a transaction, to the explorer, to use another token; then after the links to enter a
/// transaction, to the explorer, to keep the payment.
const CANCEL: [&str; 9] = [DOWN, DOWN, DOWN, DOWN, "^J", DOWN, DOWN, DOWN, "^J"];

/// The text of the page that these keys lead to.
async fn text_after(lynx: &OsStr, home: &Path, url: &str, keys: &[&str]) -> String {
    // Prints the page to the file, whose name is asked for, and quits.
    let print = [
        "p", "^J", "^U", "o", "u", "t", ".", "t", "x", "t", "^J", "q", "y",
    ];
    let keys = keys.iter().chain(&print).map(|key| format!("key {key}\n"));
    fs::write(home.join("keys"), keys.collect::<String>()).unwrap();
    let shown = home.join("out.txt");
    let _ = fs::remove_file(&shown);
    let mut command = Command::new(lynx);
    command
        .args(["-accept_all_cookies", "-nopause", "-cmd_script=keys", url])
        .current_dir(home)
        .env("HOME", home)
        .env("SSL_CERT_FILE", home.join("certificate.pem"))
        // One page of text, so that each link is one key away.
        .envs([
            ("TERM", "vt100"),
            ("LINES", "200"),
            ("COLUMNS", "100"),
            ("LANG", "C.UTF-8"),
        ])
        // Without more keys, it ends.
        .stdin(Stdio::null());
    let screen = spawn_blocking(move || command.output()).await.unwrap();
    fs::read_to_string(shown).unwrap_or_else(|_| panic!("{screen:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_pays_and_cancels_in_a_text_browser() {
    let Some(lynx) = program("LYNX", "lynx", "-version") else {
        return;
    };
    let world = World::new().await;
    let home = TempDir::new().unwrap();
    let (port, certificate) = tls("localhost", world.proxy.address()).await;
    fs::write(home.path().join("certificate.pem"), certificate).unwrap();
    let url = format!("https://localhost:{port}/pay?order={}", order(json!({})));

    let form = text_after(&lynx, home.path(), &url, &[]).await;
    assert!(form.contains("Total 25.00 USDT"), "{form}");
    for line in ["( ) Tether USD Ethereum (ERC20) USDT", "( ) TRON TRX"] {
        assert!(
            form.lines().any(|shown| shown.trim().ends_with(line)),
            "{form}"
        );
    }

    let payment = text_after(&lynx, home.path(), &url, &PAY).await;
    let [record] = <[_; 1]>::try_from(world.payments()).unwrap();
    assert_eq!(record.payment_token, "TRX");
    assert!(payment.contains(&record.wallet), "{payment}");
    assert!(payment.contains("on TRON"), "{payment}");
    assert!(payment.contains("REFRESH(15 sec)"), "{payment}");

    // The same order in a new session, without cookies: the same payment.
    let cancelled = text_after(&lynx, home.path(), &url, &CANCEL).await;
    assert!(cancelled.contains("Payment cancelled"), "{cancelled}");
    let [record] = <[_; 1]>::try_from(world.payments()).unwrap();
    assert_eq!(record.status.text(), "Cancelled");
}
