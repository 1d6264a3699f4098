//! Tests of secrets in settings and files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use reqwest::Client;
use serde_json::json;
use tempfile::TempDir;
use tender_protocol::path;

use crate::done::Done;
use crate::settings::{KEY, check, complaint, complaints, file, flag, is_good};
use crate::support::{Program, command, in_an_hour, sandbox, sign, with_sandbox};

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
fn a_value_and_a_file_with_it_are_an_error() {
    let directory = TempDir::new().unwrap();
    let address = key_file(&directory, "sqlite:a.db");
    let config = file(&directory, &format!("database_url_file = {address:?}"));
    let config = || {
        let mut command = check("");
        command.args(["--config", &config]);
        command
    };
    let told = complaint(config().env("TENDER_DATABASE_URL", "sqlite:b.db"));
    let expected = "`database_url` can't be used: it and `database_url_file` have more than one value; keep one";
    assert_eq!(told, expected);
    // A blank value is none.
    is_good(config().env("TENDER_DATABASE_URL", " "));
}

/// The path of the file with the key, in the setting for the key.
#[test]
fn a_path_is_no_key() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("the-keys-of-the-shop-for-orders");
    for name in ["order_key", "receipt_key", "merchant_key"] {
        let told = complaints(check("").arg(flag(name, path.to_str().unwrap())));
        let expected =
            format!("`{name}` can't be used: it is the path of a file; name the file in");
        assert!(told[0].starts_with(&expected), "{told:?}");
        // One of 64 random keys begins so.
        is_good(check("").arg(flag(name, &format!("/{KEY}"))));
    }
}

#[test]
fn a_file_that_can_not_be_read_is_named_with_the_user() {
    let directory = TempDir::new().unwrap();
    let key = key_file(&directory, KEY);
    let config = file(&directory, "");
    for path in [&key, &config] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Root can read every file.
    let Err(_) = fs::read(&key) else { return };
    let user = nix::unistd::geteuid();
    for arguments in [["--order-key-file", &key], ["--config", &config]] {
        let told = complaints(check("base_url").args(arguments)).join("\n");
        assert!(
            told.contains(&format!("for the user with the id {user}")),
            "{told}"
        );
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

/// A second key in the file, whose owner believes that it is something else, or that it is right.
#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn a_mistake_in_a_key_file_is_named_with_its_line() {
    const OTHER: &str = "fedcba9876543210fedcba9876543210";
    let directory = TempDir::new().unwrap();
    let named = "before `=` is the key's `kid`: write 1 to 64 letters, digits, `-`, `_` and `.`, without white space";
    for (name, line, reason) in [
        (
            "order_key",
            format!("#k0={OTHER}"),
            "it begins with `#`; write a space after the `#` of a comment",
        ),
        ("order_key", format!("##{OTHER}"), "it begins with `#`"),
        ("order_key", format!("k1 = {OTHER}"), named),
        (
            "order_key",
            format!("k1= {OTHER}"),
            "after `=` is the secret: it begins or ends with white space",
        ),
        ("order_key", format!("2026/03={OTHER}"), named),
        ("order_key", format!("\u{fc}={OTHER}"), named),
        ("order_key", format!("={OTHER}"), named),
        (
            "order_key",
            format!("k1=\"{OTHER}\""),
            "after `=` is the secret: it is in quotes; remove them",
        ),
        (
            "order_key",
            format!("\"k1={OTHER}\""),
            "it is in quotes; remove them",
        ),
        (
            "order_key",
            format!("ORDER_KEY=k1={OTHER}"),
            "its `kid` is the name of a variable; write only what follows",
        ),
        (
            "order_key",
            format!("export ORDER_KEY=k1={OTHER}"),
            "it begins with the name of a variable",
        ),
        (
            "order_key",
            "k1=".to_owned(),
            "it is shorter than 32 characters",
        ),
        (
            "order_key",
            format!("{OTHER} "),
            "it begins or ends with white space; remove it",
        ),
        (
            "order_key",
            format!("\t{OTHER}"),
            "it begins or ends with white space; remove it",
        ),
        (
            "order_key",
            format!("{OTHER}\u{a0}"),
            "it begins or ends with white space; remove it",
        ),
        (
            "order_key",
            format!("fedcba98\u{200b}{OTHER}"),
            "it contains an invisible or control character",
        ),
        ("merchant_key", format!("#{OTHER}"), "it begins with `#`"),
        (
            "merchant_key",
            format!("'{OTHER}'"),
            "it is in quotes; remove them",
        ),
        (
            "merchant_key",
            format!("{OTHER} # mine"),
            "it is sent in a header, so it can only contain visible ASCII",
        ),
        (
            "merchant_key",
            format!("TENDER_MERCHANT_KEY={OTHER}"),
            "it begins with the name of a variable",
        ),
        (
            "receipt_key",
            "${RECEIPT_KEY_OF_THE_PROXY_FROM_VAULT}".to_owned(),
            "it is a variable or a command that nothing has replaced by its value",
        ),
        (
            "order_key",
            format!("2026-02:{OTHER}"),
            "it has a `:` after what looks like a `kid`; write `KID=SECRET`",
        ),
        (
            "receipt_key",
            "short".to_owned(),
            "it is shorter than 32 characters",
        ),
        ("webhook_secret", format!("{OTHER}/"), "it is part of a URL"),
        (
            "notify_secret",
            "whsec_".to_owned(),
            "write `whsec_` and 24 to 64 bytes in base64",
        ),
        (
            "notify_secret",
            format!("\u{feff}whsec_{OTHER}"),
            "it begins with a byte order mark; save the file as UTF-8",
        ),
        (
            "upstream_header",
            "X-Credential=secret".to_owned(),
            "each line must be `Name: value`",
        ),
        (
            "upstream_header",
            "X-Credential:".to_owned(),
            "the header has no value; write it after the colon",
        ),
        (
            "upstream_header",
            "#X-Credential: old".to_owned(),
            "it begins with `#`",
        ),
    ] {
        let path = key_file(&directory, &format!("# since March\n\n{line}\n"));
        let name = format!("{name}_file");
        let complaint = complaint(check("").arg(flag(&name, &path)));
        let expected = format!("`{name}` can't be used: {path}, line 3: {reason}");
        assert!(complaint.starts_with(&expected), "{complaint}");
        assert!(!complaint.contains(OTHER), "{complaint}");
    }
    let path = directory.path().join("key");
    fs::write(&path, b"\xff\xfek\0e\0y\0").unwrap();
    let complaint = complaint(check("").arg(flag("order_key_file", path.to_str().unwrap())));
    assert!(complaint.ends_with("can't be read: it is not UTF-8; save it as UTF-8 text"));
}

/// The same rules apply wherever a secret is.
#[test]
fn a_mistake_in_a_secret_is_named_in_variables_and_lists() {
    let directory = TempDir::new().unwrap();
    let list = file(
        &directory,
        &format!("order_key = [\"k1={KEY}\", \"#k0={KEY}\"]"),
    );
    for (command, reason) in [
        (
            check("").env("TENDER_ORDER_KEY", format!("k1={KEY}\n#k0={KEY}\n")),
            "`order_key` can't be used: line 2: it begins with `#`",
        ),
        (
            check("").env("TENDER_MERCHANT_KEY", format!("\"{KEY}\"")),
            "`merchant_key` can't be used: it is in quotes; remove them",
        ),
        (
            check("").args(["--config", &list]),
            "`order_key` can't be used: it begins with `#`",
        ),
    ] {
        let complaint = complaint(command);
        assert!(
            complaint.starts_with(reason) && !complaint.contains(KEY),
            "{complaint}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_a_file_with_comments_and_windows_line_ends_verify_orders() {
    let directory = TempDir::new().unwrap();
    let path = key_file(
        &directory,
        &format!("# 2026\r\nk1={KEY}\r\n\r\n# k0=old\r\n#\r\n"),
    );
    let sandbox = sandbox().await;
    let memory = "--database-url=sqlite::memory:";
    let program = Program::start(with_sandbox(
        &sandbox,
        &[memory, &flag("order_key_file", &path)],
    ));
    for (secret, status) in [(KEY, 200), ("# k0=old", 403), ("old", 403)] {
        let claims = json!({
            "token": "btc", "quantity": "1", "invoiceNumber": secret, "exp": in_an_hour(),
        });
        let body = json!({ "order": sign(&claims, secret), "paymentToken": "trx" });
        let request = Client::new().post(program.url(path::PAYMENT)).json(&body);
        assert_eq!(request.send().await.unwrap().status(), status, "{secret}");
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
    let private = good.replace("PUBLIC", "PRIVATE");
    let path = key_file(&directory, &private);
    let complaint = self::complaint(check("").arg(flag("order_key_file", &path)));
    let reason = "it is a private key, which signs; give the proxy the public one, which `openssl pkey -in FILE -pubout`";
    assert!(complaint.contains(reason), "{complaint}");
    let half = good.split_once("-----END").unwrap().0;
    let path = key_file(&directory, half);
    let complaint = self::complaint(check("").arg(flag("order_key_file", &path)));
    assert!(
        complaint.contains("line 1: a key in PEM begins here and does not end"),
        "{complaint}"
    );
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
        // The secret instead of the name of its file.
        ("order_key_file", SECRET),
        ("order_key_file", &format!("2026={SECRET}")),
        ("order_key_file", &format!("/{SECRET}")),
        ("merchant_key_file", &format!("{SECRET}/of/base64")),
        ("upstream_header_file", &format!("X-Key: {SECRET}")),
        (
            "database_url_file",
            &format!("postgres://me:{SECRET}@db/tender"),
        ),
        ("config", &broken),
        ("config", table.to_str().unwrap()),
    ] {
        let complaints = complaints(check("base_url").arg(flag(name, value))).join("\n");
        assert!(!complaints.contains(SECRET), "{name} {value}: {complaints}");
    }
    // A space instead of `=` after a flag that has a value already.
    for arguments in [&["--check", KEY][..], &["payments", "list", KEY]] {
        let done = Done::of(command().args(arguments));
        done.is(2)
            .reports("a text on the command line belongs to no flag");
        assert!(!done.err.contains(KEY), "{}", done.err);
    }
    // A shell replaces it, and nothing else.
    let complaint = complaint(check("").args(["--order-key-file=~/order-keys"]));
    assert!(
        complaint.contains("a file below `~` (which only a shell replaces"),
        "{complaint}"
    );
    // Of a path whose folder exists, the name is shown.
    let missing = directory.path().join("order-keys");
    let complaint = complaints(check("").arg(flag("order_key_file", missing.to_str().unwrap())));
    let expected = format!(
        "`order_key_file` names {}, which can't be read",
        missing.display()
    );
    assert!(complaint[0].starts_with(&expected), "{complaint:?}");
    let help = Done::of(command().arg("--help").env("TENDER_ORDER_KEY", SECRET));
    let help = &help.is(0).out;
    assert!(help.contains("TENDER_ORDER_KEY"), "{help}");
    assert!(!help.contains(SECRET), "{help}");
}
