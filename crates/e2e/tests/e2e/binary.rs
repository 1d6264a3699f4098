//! The release build of the proxy: a single file that contains the widget.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use tempfile::TempDir;
use tender_programs::{Server, free_address};

use crate::support::Servers;

/// The loader, and the two files that it refers to, in each encoding.
#[tokio::test(flavor = "multi_thread")]
async fn the_widget_comes_from_inside_the_binary() {
    let servers = Servers::open().await;
    let (service, rates) = servers.service_urls();
    let address = free_address();
    let mut command = Command::new(program());
    command
        .args(["--listen", &address.to_string()])
        .args(["--base-url", &service, "--rates-base-url", &rates])
        .arg("--allow-unsigned-orders")
        .args(["--database-url", "sqlite::memory:"]);
    let proxy = Server::start(address, TempDir::new().unwrap(), &mut command).await;
    let whole = std::fs::read(program()).unwrap();
    let is_inside = |part: &[u8]| whole.windows(part.len()).any(|window| window == part);
    let client = reqwest::Client::new();
    let get = async |name: &str, encoding: &str| {
        let request = client.get(proxy.url(&format!("/v1/{name}")));
        let answer = request.header(ACCEPT_ENCODING, encoding).send().await;
        let answer = answer.unwrap().error_for_status().unwrap();
        let sent = answer.headers().get(CONTENT_ENCODING);
        let sent = sent.map_or("identity", |sent| sent.to_str().unwrap());
        assert_eq!(sent, encoding, "{name}");
        answer.bytes().await.unwrap().to_vec()
    };

    let loader = String::from_utf8(get("checkout.js", "identity").await).unwrap();
    let literals = loader.split('"');
    let referred: Vec<_> = literals
        .filter(|text| text.starts_with("tender-checkout-"))
        .collect();
    assert_eq!(referred.len(), 2, "{referred:?}");
    for name in ["checkout.js"].into_iter().chain(referred) {
        let plain = get(name, "identity").await;
        assert!(is_inside(&plain), "{name} is in the program");
        let compressed = get(name, "br").await;
        assert!(is_inside(&compressed), "{name}.br is in the program");
        let mut unpacked = Vec::new();
        brotli::BrotliDecompress(&mut &compressed[..], &mut unpacked).unwrap();
        assert!(unpacked == plain, "{name}.br holds {name}");
        get(name, "gzip").await;
    }
}

/// The output of `cargo xtask dist`: `tender-proxy` in the release folder next to this test's own.
pub(crate) fn program() -> PathBuf {
    let set = env::var_os("TENDER_PROXY_BIN").map(PathBuf::from);
    let program = set.unwrap_or_else(|| {
        let this = env::current_exe().unwrap();
        let target = this.ancestors().nth(3).unwrap();
        target
            .join("release")
            .join(format!("tender-proxy{}", env::consts::EXE_SUFFIX))
    });
    assert!(
        program.is_file(),
        "there is no {}: build it with `cargo xtask dist`, or say in TENDER_PROXY_BIN where it is",
        program.display()
    );
    program
}
