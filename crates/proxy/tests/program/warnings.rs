//! Tests of warnings: settings that contradict each other or the place of the proxy.

use crate::done::Done;
use crate::support::without_service;

const REPEATED_KID: &str = "more than one key has the kid `a`";

/// The result of `--check` with these settings and an unused service.
fn checked(settings: &[(&str, &str)]) -> Done {
    let mut command = without_service(&["--check", "--allow-unsigned-orders"]);
    command.env("TENDER_DATABASE_URL", "sqlite::memory:");
    command.env("TENDER_TRUSTED_PROXIES", "1");
    for (name, value) in settings {
        command.env(format!("TENDER_{name}"), value);
    }
    Done::of(&mut command)
}

const A: &str = "a-key-of-the-tests-32-characters-or-more";
const B: &str = "another-key-of-the-tests-32-characters-or-more";

#[test]
fn the_check_warns_of_contradictions() {
    let keys = |text: &str| text.replace('A', A).replace('B', B);
    for (settings, warning) in [
        (vec![], None),
        (vec![("ORDER_KEY", &*keys("A\nB"))], None),
        (vec![("ORDER_KEY", &*keys("a=A\nb=B"))], None),
        (
            vec![("ORDER_KEY", &*keys("a=A\na=B\na=A"))],
            Some(REPEATED_KID),
        ),
        (
            vec![
                ("ORDER_KEY", &*keys("a=A")),
                ("PAYMENT_LINKS", "true"),
                ("PAYMENT_LINK_KID", "a"),
                ("PAYMENT_LINK_MAX_QUANTITY", "btc=1"),
                ("PUBLIC_URL", "https://pay.shop.example"),
            ],
            Some(REPEATED_KID),
        ),
        (vec![("MAX_STREAMS", "900")], Some("`max_streams` (900)")),
        (
            vec![("MAX_CONNECTIONS", "600")],
            Some("`max_streams` (600)"),
        ),
        (vec![("MAX_CONNECTIONS", "601")], None),
        // Behind a server on the same machine, all clients have its address unless it is trusted.
        (
            vec![("TRUSTED_PROXIES", "0")],
            Some("`listen` is a loopback address"),
        ),
        (
            vec![("TRUSTED_PROXIES", "0"), ("LISTEN", "192.0.2.1:8081")],
            None,
        ),
    ] {
        let done = checked(&settings);
        let output = &done.is(0).out;
        let mut warned = output.lines();
        assert_eq!(warned.next(), Some("The configuration is valid."));
        let line = warned.next().unwrap_or_default();
        match warning {
            Some(warning) => assert!(
                line.starts_with(&format!("Warning: {warning}")) && line.ends_with('.'),
                "{output}"
            ),
            None => assert_eq!(line, ""),
        }
        assert_eq!(warned.next(), None);
    }
}

#[test]
fn a_key_has_one_purpose() {
    let hex = "0123456789abcdef0123456789abcdef";
    let order = format!("2026-02={hex}\n{B}");
    let both = format!("{hex}\n{B}");
    for (settings, pairs) in [
        (vec![("ORDER_KEY", A), ("RECEIPT_KEY", B)], &[][..]),
        (vec![("RECEIPT_KEY", &*format!("{A}\n{A}"))], &[]),
        (
            vec![("ORDER_KEY", &order), ("RECEIPT_KEY", &both)],
            &["`order_key` and `receipt_key`"],
        ),
        (
            vec![("MERCHANT_KEY", hex), ("WEBHOOK_SECRET", hex)],
            &["`merchant_key` and `webhook_secret`"],
        ),
        (
            vec![
                ("ORDER_KEY", hex),
                ("RECEIPT_KEY", hex),
                ("MERCHANT_KEY", hex),
            ],
            &[
                "`order_key` and `receipt_key`",
                "`order_key` and `merchant_key`",
                "`receipt_key` and `merchant_key`",
            ],
        ),
    ] {
        let expected = if pairs.is_empty() { 0 } else { 2 };
        let done = checked(&settings);
        let errors = &done.is(expected).err;
        assert!(!errors.contains(hex), "{errors}");
        assert_eq!(errors.lines().count(), pairs.len(), "{errors}");
        for (error, pair) in errors.lines().zip(pairs) {
            assert!(error.starts_with(pair), "{error}");
        }
    }
}
