//! Tests of secrets in settings and files.

use std::fs;

use tempfile::TempDir;

use crate::done::Done;
use crate::settings::{KEY, check, complaint, complaints, file, flag, is_good};
use crate::support::command;

fn key_file(directory: &TempDir, content: &str) -> String {
    let path = directory.path().join("key");
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_file_without_a_value_is_an_error() {
    let directory = TempDir::new().unwrap();
    let empty = key_file(&directory, " \n\n");
    for name in [
        "order_key_file",
        "receipt_key_file",
        "merchant_key_file",
        "upstream_header_file",
        "webhook_secret_file",
        "database_url_file",
    ] {
        let complaint = complaint(check("").arg(flag(name, &empty)));
        let expected = format!("`{name}` can't be used: {empty} is empty");
        assert!(complaint.starts_with(&expected), "{complaint}");
    }
}

#[test]
fn secrets_can_be_read_from_files() {
    let directory = TempDir::new().unwrap();
    let two = key_file(&directory, &format!("{KEY}\n\n{KEY}\n"));
    for name in ["order_key_file", "receipt_key_file", "merchant_key_file"] {
        is_good(check("").arg(flag(name, &two)));
    }
    is_good(check("allow_unsigned_orders").arg(flag("order_key_file", &format!("kid={two}"))));
    let address = key_file(&directory, "postgres://me:secret@db/tender\n");
    is_good(check("").arg(flag("database_url_file", &address)));
    let two_addresses = [
        flag("database_url", "sqlite:a.db"),
        flag("database_url_file", &address),
    ];
    complaint(check("").args(two_addresses));
    let header = key_file(&directory, "X-Key: a\nX-Key: b\n");
    is_good(check("").arg(flag("upstream_header_file", &header)));
    let short = key_file(&directory, &format!("{KEY}\nshort"));
    for name in ["order_key_file", "receipt_key_file", "merchant_key_file"] {
        let complaint = complaint(check("").arg(flag(name, &short)));
        assert!(complaint.starts_with(&format!("`{name}`")), "{complaint}");
    }
}

#[test]
fn a_merchant_key_must_fit_into_a_header() {
    for bad in [
        "a key of 32 characters, with spaces",
        "ein Schlüssel, der in keinen Header passt",
    ] {
        let complaint = complaint(check("").env("TENDER_MERCHANT_KEY", bad));
        assert!(complaint.contains("in a header") && !complaint.contains(bad));
    }
    is_good(check("").env("TENDER_MERCHANT_KEY", "Gk0+/3W==.~_-!0123456789abcdef0123"));
}

#[test]
fn a_public_key_must_be_ed25519_in_pem() {
    let directory = TempDir::new().unwrap();
    let pem =
        |body: &str| format!("-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n");
    // RFC 8410, section 10.1.
    let good = pem("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=");
    let path = key_file(&directory, &good);
    is_good(check("allow_unsigned_orders").arg(flag("order_key_file", &path)));
    let bad = key_file(
        &directory,
        &pem("MCowBQYDK2VuAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="),
    );
    let complaint = complaint(check("").arg(flag("order_key_file", &bad)));
    assert!(complaint.contains("Ed25519"), "{complaint}");
}

#[test]
fn error_messages_contain_no_secrets() {
    const SECRET: &str = "hunter2";
    let directory = TempDir::new().unwrap();
    let path = key_file(&directory, SECRET);
    let broken = file(&directory, &format!("order_key = \"{SECRET}\" oops"));
    let table = directory.path().join("table.toml");
    fs::write(&table, format!("order_key = {{ a = \"{SECRET}\" }}")).unwrap();
    for (name, value) in [
        ("order_key", SECRET),
        ("order_key", &format!("kid={SECRET}")),
        ("order_key_file", &path),
        ("receipt_key", SECRET),
        ("merchant_key_file", &path),
        ("upstream_header", SECRET),
        ("upstream_header_file", &path),
        ("upstream_header", &format!("X-Key: {SECRET}\u{7f}")),
        ("base_url", &format!("https://me:{SECRET}@pay.example")),
        ("base_url", &format!("https://pay.example/?key={SECRET}")),
        ("database_url", &format!("postgres://me:{SECRET}@db:port/a")),
        ("database_url_file", &path),
        ("config", &broken),
        ("config", table.to_str().unwrap()),
    ] {
        let complaints = complaints(check("base_url").arg(flag(name, value))).join("\n");
        assert!(!complaints.contains(SECRET), "{name} {value}: {complaints}");
    }
    let help = Done::of(command().arg("--help").env("TENDER_ORDER_KEY", SECRET));
    let help = &help.is(0).out;
    assert!(help.contains("TENDER_ORDER_KEY"), "{help}");
    assert!(!help.contains(SECRET), "{help}");
}
