//! Sends generated requests to the proxy with Schemathesis, which checks the responses with the OpenAPI document.
//!
//! It is skipped with a message where it is not installed. `cargo xtask test` installs it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tender_programs::left_out;

use crate::payment_links::with_links;
use crate::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn generated_requests_get_documented_responses() {
    let Some(library) = env::var_os("TENDER_SCHEMATHESIS").map(PathBuf::from) else {
        left_out("Schemathesis");
        return;
    };
    let world = World::with(|config| {
        config.orders.allow_unsigned = true;
        with_links(config);
    })
    .await;
    let order = order(json!({ "exp": 4_102_444_800_u64 }));
    let created = world.create(&paying(&order)).await;
    let url = format!("http://{}", world.proxy.address());
    // It writes what it found into the current directory.
    let folder = TempDir::new().unwrap();
    let mut schemathesis = Command::new(library.join("bin/schemathesis"));
    schemathesis
        .current_dir(&folder)
        .arg("--config-file")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/http/schemathesis.toml"))
        .args(["run", &format!("{url}{}", path::OPENAPI), "--url", &url])
        .arg("--no-color")
        .env("PYTHONPATH", library)
        .env("MERCHANT_KEY", MERCHANT_KEY)
        .env("WEBHOOK_SECRET", WEBHOOK_SECRET)
        .env("ORDER", &order)
        .env("PAYMENT", created.transaction_id())
        .env("RECEIPT", created.receipt());
    let ran = tokio::task::spawn_blocking(move || schemathesis.output());
    let ran = ran.await.unwrap().unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout);
    let complaints = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{printed}{complaints}");
}
