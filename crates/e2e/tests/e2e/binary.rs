//! The release build of the proxy: a single file that contains the widget.

use std::env;
use std::path::PathBuf;
use std::process::Stdio;

use reqwest::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE,
    VARY,
};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tender_protocol::path;

use crate::support::{Program, Servers};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SHORT: &str = "public, max-age=300, stale-while-revalidate=600";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

#[tokio::test(flavor = "multi_thread")]
async fn the_widget_comes_from_inside_the_binary() {
    let servers = Servers::open().await;
    let mut proxy = Proxy::start(&servers);
    let whole = std::fs::read(program()).unwrap();

    // The loader, and the two files that it refers to.
    let loader = proxy.get("/v1/checkout.js", "").await;
    let text = String::from_utf8(served(loader, JAVASCRIPT, SHORT, None).await).unwrap();
    let literals: Vec<_> = text
        .split('"')
        .filter(|text| text.starts_with("tender-checkout-"))
        .collect();
    let [glue, module] = &literals[..] else {
        panic!("the loader names {literals:?}");
    };
    assert_eq!((extension(glue), extension(module)), ("js", "wasm"));

    for (name, content_type, cached) in [
        ("checkout.js", JAVASCRIPT, SHORT),
        (*glue, JAVASCRIPT, FOR_EVER),
        (*module, "application/wasm", FOR_EVER),
    ] {
        let path = format!("/v1/{name}");
        let plain = served(
            proxy.get(&path, "identity").await,
            content_type,
            cached,
            None,
        )
        .await;
        assert!(contains(&whole, &plain), "{name} is in the program");

        let smallest = proxy.get(&path, "gzip, deflate, br, zstd").await;
        let compressed = served(smallest, content_type, cached, Some("br")).await;
        assert!(contains(&whole, &compressed), "{name}.br is in the program");
        assert!(compressed.len() < plain.len());
        let mut unpacked = Vec::new();
        brotli::BrotliDecompress(&mut &compressed[..], &mut unpacked).unwrap();
        assert!(unpacked == plain, "{name}.br holds {name}");

        let gzip = proxy.get(&path, "gzip").await;
        served(gzip, content_type, cached, Some("gzip")).await;
    }
    let absent = proxy.get("/v1/tender-checkout.js", "").await;
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);

    // Everything else works in a release build too.
    let listing = proxy.get(path::TOKENS, "").await.text().await.unwrap();
    let tokens: Vec<Value> = serde_json::from_str(&listing).unwrap();
    assert_eq!(tokens.len(), 9);
    assert_eq!(proxy.get("/readyz", "").await.status(), StatusCode::OK);
    assert!(proxy.program.end().unwrap().success());
}

/// Checks the headers of a file's response, and returns the body unchanged.
async fn served(
    answer: Response,
    content_type: &str,
    cached: &str,
    encoding: Option<&str>,
) -> Vec<u8> {
    assert_eq!(answer.status(), StatusCode::OK, "{}", answer.url());
    let headers = answer.headers();
    assert_eq!(headers[CONTENT_TYPE], content_type);
    assert_eq!(headers[CACHE_CONTROL], cached);
    assert_eq!(headers[VARY], "accept-encoding");
    assert_eq!(headers[ACCESS_CONTROL_ALLOW_ORIGIN], "*");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    let sent = headers.get(CONTENT_ENCODING);
    assert_eq!(sent.map(|value| value.to_str().unwrap()), encoding);
    answer.bytes().await.unwrap().into()
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

/// A running proxy. Dropping it stops the proxy.
struct Proxy {
    program: Program,
    url: String,
    client: reqwest::Client,
}

impl Proxy {
    /// Starts the proxy on a free port, with this environment's service behind it.
    fn start(servers: &Servers) -> Self {
        let (base_url, rates_base_url) = servers.service_urls();
        let program = program();
        let mut program =
            Program::start("TENDER_PROXY_BIN", program.to_str().unwrap(), |command| {
                command
                    .args(["--listen", "127.0.0.1:0", "--log-format", "json"])
                    .args(["--base-url", &base_url, "--rates-base-url", &rates_base_url])
                    .args([
                        "--allow-unsigned-orders",
                        "--database-url",
                        "sqlite::memory:",
                    ])
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped());
            });
        let address = program.find(|line| {
            let entry: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
            (entry["message"] == "listening").then(|| entry["address"].as_str().unwrap().to_owned())
        });
        let address = address.expect("the proxy ended before it listened");
        Self {
            program,
            url: format!("http://{address}"),
            client: reqwest::Client::new(),
        }
    }

    async fn get(&self, path: &str, accept_encoding: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.url));
        let request = request.header(ACCEPT_ENCODING, accept_encoding);
        request.send().await.unwrap()
    }
}

fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

fn contains(whole: &[u8], part: &[u8]) -> bool {
    // Searches for the first bytes, which rarely occur elsewhere, and then compares the rest.
    let (head, _) = part.split_at(part.len().min(64));
    whole
        .windows(head.len())
        .enumerate()
        .any(|(place, window)| window == head && whole[place..].starts_with(part))
}
