//! Tests that the log escapes characters that could mislead a reader.

use serde_json::Value;

use crate::support::{Program, without_service};

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// Changes the direction of the text after it (Unicode Standard Annex 9).
const OVERRIDE: char = '\u{202e}';

#[tokio::test]
async fn characters_that_mislead_are_escaped_in_the_log() {
    for (format, escaped) in [("text", r"\u{202e}"), ("json", r"\u202e")] {
        let mut command = without_service();
        // Two keys with the same `kid`, which a warning names.
        for secret in ["fedcba9876543210", "0f1e2d3c4b5a6978"] {
            command.args(["--order-key", &format!("kid{OVERRIDE}={secret}{secret}")]);
        }
        command.args(["--merchant-key", KEY, "--log-format", format]);
        let program = Program::start(command);
        let path = format!("/api/v1/payment/id{OVERRIDE}");
        let request = reqwest::Client::new().get(program.url(&path));
        request.bearer_auth(KEY).send().await.unwrap();
        program.terminate();
        let (_, log) = program.end();

        assert!(!log.contains(OVERRIDE), "{format}: {log}");
        for name in ["kid", "id"] {
            assert!(log.contains(&format!("{name}{escaped}")), "{format}: {log}");
        }
        if format == "json" {
            let lines = log.lines().map(serde_json::from_str::<Value>);
            let ids = lines.map(|line| line.unwrap()["transaction_id"].clone());
            let id = Value::from(format!("id{OVERRIDE}"));
            assert_eq!(ids.filter(|logged| *logged == id).count(), 1, "{log}");
        }
    }
}
