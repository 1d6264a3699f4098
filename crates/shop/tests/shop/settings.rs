//! Settings with which no program starts, such as secrets with which anyone could sign.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY, Settings};

use crate::programs::{BACKEND, QUICK_START, QUICK_START_IN_PHP, RUST};
use crate::receiver::settings;

const ORDER_KEYS: [&str; 3] = ["", "2026-02=too short", "a secret of 32 or more characters"];

/// The proxy refuses these, too.
fn notify_secrets() -> Vec<String> {
    let key = |bytes: usize| BASE64_STANDARD.encode(vec![b'?'; bytes]);
    vec![
        // `whsec_$(openssl rand -base64 32)`, where openssl is missing.
        "whsec_".to_owned(),
        key(32),
        format!("whsec_{}", key(23)),
        format!("whsec_{}", key(65)),
        // The other alphabet of base64.
        format!("whsec_{}", key(24).replace('/', "_")),
    ]
}

async fn needs_an_order_key(example: &Example) {
    let keys = ORDER_KEYS.map(|order_key| Settings {
        order_key: order_key.to_owned(),
        ..settings()
    });
    does_not_start(example, keys, "set ORDER_KEY to KID=SECRET").await;
}

async fn needs_a_notify_secret(example: &Example) {
    let secrets = notify_secrets().into_iter().map(|notify_secret| Settings {
        notify_secret,
        ..settings()
    });
    does_not_start(example, secrets, "set NOTIFY_SECRET").await;
}

async fn needs_both(example: &Example) {
    needs_an_order_key(example).await;
    needs_a_notify_secret(example).await;
}

/// Also an address to which paths can be appended.
async fn needs_all(example: &Example) {
    needs_both(example).await;
    let with_slash = Settings {
        proxy: "https://pay.shop.example/".to_owned(),
        ..settings()
    };
    does_not_start(example, [with_slash], "set PROXY to an origin").await;
}

/// With any of these settings, the program ends at once and says what to do.
async fn does_not_start(
    example: &Example,
    settings: impl IntoIterator<Item = Settings>,
    hint: &str,
) {
    let (example, settings) = (*example, Vec::from_iter(settings));
    let run = move || (example.ends(&settings), settings);
    let (outputs, settings) = tokio::task::spawn_blocking(run).await.unwrap();
    for (output, settings) in outputs.into_iter().flatten().zip(settings) {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{settings:?}: {said}");
        assert!(said.contains(hint), "{settings:?}: {said}");
    }
}

in_languages!(needs_all: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO);
in_languages!(needs_both: quick_start = QUICK_START, quick_start_in_php = QUICK_START_IN_PHP);
in_languages!(needs_an_order_key: backend = BACKEND);
in_languages!(needs_a_notify_secret: rust = RUST);
