//! Tests of the widget's files.

use std::fs;

use tempfile::TempDir;

use crate::prelude::*;
use crate::socket::{answers, code, head, status};

const WASM: &str = "tender-checkout-1f0c9a7be2d3c405_bg.wasm";

/// A proxy with a widget. Files next to its directory must not be served.
async fn widget() -> (World, TempDir) {
    let root = TempDir::new().unwrap();
    let v1 = root.path().join("v1");
    fs::create_dir_all(v1.join("snippets/a-0a1b2c3d4e5f6071")).unwrap();
    fs::write(root.path().join("secret.txt"), "secret").unwrap();
    for (name, content) in [
        ("checkout.js", "plain loader"),
        ("checkout.js.br", "brotli loader"),
        ("checkout.js.gz", "gzip loader"),
        (WASM, "plain wasm"),
        ("tender-checkout_bg.wasm.gz", "orphan"),
        ("snippets/a-0a1b2c3d4e5f6071/inline0.js", "snippet"),
        ("checkout.d.ts", "types"),
        ("fr.0a1b2c3d.json", "texts"),
        ("v1-2025.js", "a year"),
        ("decadefaced.js", "a word"),
        ("1f0c9a7be2d3c405xyz.js", "another name"),
    ] {
        fs::write(v1.join(name), content).unwrap();
    }
    let world = World::with(|config| config.server.assets = Some(v1)).await;
    (world, root)
}

async fn get(world: &World, file: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = world.request(Method::GET, &format!("/v1/{file}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::to(request).await
}

#[tokio::test]
async fn the_smallest_accepted_encoding_is_sent() {
    let (world, _root) = widget().await;
    for (accept, encoding, body) in [
        ("gzip, deflate, br", "br", "brotli loader"),
        ("br;q=0, gzip", "gzip", "gzip loader"),
        ("identity", "", "plain loader"),
        ("", "", "plain loader"),
    ] {
        let headers = [
            ("accept-encoding", accept),
            ("origin", "https://anyone.example"),
        ];
        let answer = get(&world, "checkout.js", &headers).await;
        assert_eq!(answer.body, body);
        for (name, value) in [
            ("content-encoding", encoding),
            ("content-type", "text/javascript; charset=utf-8"),
            ("vary", "accept-encoding"),
            // Every page may load the widget.
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("timing-allow-origin", "*"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(answer.header(name), value, "{name}");
        }
    }
    let answer = get(&world, WASM, &[("accept-encoding", "br")]).await;
    assert_eq!(
        (answer.header("content-encoding"), &*answer.body),
        ("", "plain wasm")
    );
    assert_eq!(answer.header("content-type"), "application/wasm");
}

#[tokio::test]
async fn only_files_with_a_hash_are_immutable() {
    let (world, _root) = widget().await;
    let immutable = "public, max-age=31536000, immutable";
    let revalidated = "public, max-age=300, stale-while-revalidate=600";
    for (file, cache_control) in [
        (WASM, immutable),
        ("snippets/a-0a1b2c3d4e5f6071/inline0.js", immutable),
        ("fr.0a1b2c3d.json", immutable),
        ("checkout.js", revalidated),
        ("checkout.d.ts", revalidated),
        ("v1-2025.js", revalidated),
        ("decadefaced.js", revalidated),
        ("1f0c9a7be2d3c405xyz.js", revalidated),
    ] {
        let answer = get(&world, file, &[]).await;
        assert_eq!(answer.header("cache-control"), cache_control, "{file}");
    }
}

#[tokio::test]
async fn a_cached_file_is_not_sent_again() {
    let (world, _root) = widget().await;
    let tag = async |accept: &str| {
        let answer = get(&world, "checkout.js", &[("accept-encoding", accept)]).await;
        answer.header("etag").to_owned()
    };
    let (brotli, plain) = (tag("br").await, tag("identity").await);
    assert_ne!(brotli, plain);
    for known in [&*brotli, &format!("\"other\", W/{brotli}"), "*"] {
        let headers = [("accept-encoding", "br"), ("if-none-match", known)];
        let answer = get(&world, "checkout.js", &headers).await;
        assert_eq!(answer.status, StatusCode::NOT_MODIFIED, "{known}");
        assert_eq!(answer.body, "");
        assert_eq!(answer.header("etag"), brotli);
        assert!(answer.header("cache-control").starts_with("public"));
    }
    let headers = [("accept-encoding", "br"), ("if-none-match", &plain)];
    get(&world, "checkout.js", &headers).await.succeeds();
}

#[tokio::test]
async fn only_the_widgets_files_are_served() {
    let (world, _root) = widget().await;
    for path in [
        "/v1/../secret.txt",
        "/v1/..%2fsecret.txt",
        "/v1/%2e%2e/secret.txt",
        "/v1/snippets/../../secret.txt",
        "/v1/..\\secret.txt",
        "/v1//secret.txt",
        "/v1/./checkout.js",
        "/v1//checkout.js",
        "/v1/checkout.js/",
        "/v1/checkout.js%00",
        "/v1/Checkout.js",
        "/v1/snippets",
        "/v1/checkout.js.br",
        "/v1/tender-checkout_bg.wasm",
        "/v1/tender-checkout_bg.wasm.gz",
    ] {
        let answer = answers(&world, head(&format!("GET {path}"), "").as_bytes()).await;
        assert_eq!(status(&answer), 404, "{path}: {answer}");
        assert_eq!(code(&answer), ProblemCode::NotFound, "{path}: {answer}");
    }
    let answer = get(&world, "checkout.js?v=1", &[]).await;
    answer.succeeds();
}
