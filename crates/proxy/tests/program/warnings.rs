//! Tests of warnings: settings that contradict each other or the place of the proxy.

use crate::done::Done;
use crate::support::command;

const REPEATED_KID: &str = "more than one key has the kid `a`";

/// The result of `--check` with these settings and an unused service.
fn checked(settings: &[(&str, &str)]) -> Done {
    let usual = [
        ("BASE_URL", "http://127.0.0.1:9"),
        ("RATES_BASE_URL", "http://127.0.0.1:9"),
        ("DATABASE_URL", "sqlite::memory:"),
        ("TRUSTED_PROXIES", "1"),
    ];
    let mut command = command();
    command.args(["--check", "--allow-unsigned-orders"]);
    for (name, value) in usual.iter().chain(settings) {
        command.env(format!("TENDER_{name}"), value);
    }
    Done::of(&mut command)
}

const A: &str = "a-key-of-the-tests-32-characters-or-more";
const B: &str = "another-key-of-the-tests-32-characters-or-more";

/// The only line that begins with `Warning: `, if there is one.
#[track_caller]
fn warning(done: &Done) -> Option<String> {
    let output = &done.is(0).out;
    let mut lines = output.lines();
    assert_eq!(lines.next(), Some("The configuration is valid."));
    let mut warnings = lines.filter_map(|line| line.strip_prefix("Warning: "));
    let warning = warnings.next().map(str::to_owned);
    assert_eq!(warnings.next(), None, "{output}");
    warning
}

#[test]
fn the_check_warns_of_contradictions() {
    let keys = |text: &str| text.replace('A', A).replace('B', B);
    for (settings, expected) in [
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
                ("MERCHANT_KEY", B),
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
        let warned = warning(&checked(&settings));
        match (&warned, expected) {
            (Some(warned), Some(expected)) => {
                assert!(
                    warned.starts_with(expected) && warned.ends_with('.'),
                    "{warned}"
                );
            }
            (warned, expected) => assert_eq!(warned.is_some(), expected.is_some(), "{warned:?}"),
        }
    }
}

/// What a person may write who is tired, and what they read then.
#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn the_check_warns_of_what_is_probably_a_mistake() {
    let told = [
        ("NOTIFY_URL", "https://shop.example/hooks"),
        ("NOTIFY_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        ("DATABASE_URL", "sqlite:tender.db"),
    ];
    let with_told = |more: &[(&'static str, &'static str)]| [&told[..], more].concat();
    let paid = ("STATUS_PAID", "Paid");
    let credential = ("UPSTREAM_HEADER", "X-Credential: tnd_8e1c0a5d");
    let far = ("BASE_URL", "https://pay.example");
    for (settings, expected) in [
        (with_told(&[paid]), ""),
        (
            with_told(&[]),
            "`notify_url` is set and `status_paid` is not, so the shop never learns that a payment is paid; set `status_paid` to \
             the status that means it: `tender-proxy statuses` lists those that the service has sent.",
        ),
        (
            with_told(&[paid, ("DATABASE_URL", "sqlite::memory:")]),
            "`notify_url` is set and the database is in memory, so notifications that wait are lost when the proxy ends; set \
             `database_url` to a file or PostgreSQL.",
        ),
        (
            with_told(&[paid, ("POLL_PAGES", "1")]),
            "`notify_url` is set and `poll_pages` is 1, so only the 20 newest payments are read at a time, and the shop learns \
             late of others; remove `poll_pages`.",
        ),
        (
            with_told(&[paid, ("NOTIFY_POLL_SECONDS", "86400")]),
            "`notify_poll_seconds` is 86400, so the shop learns as late that a payment is paid; lower it.",
        ),
        (with_told(&[paid, ("NOTIFY_POLL_SECONDS", "600")]), ""),
        (
            with_told(&[paid, ("NOTIFY_TIMEOUT_SECONDS", "4294967295")]),
            "`notify_timeout_seconds` is 4294967295, so a shop that hangs holds back later notifications as long; lower it.",
        ),
        (
            vec![("UPSTREAM_SETTLE_SECONDS", "200")],
            "`upstream_settle_seconds` is 200, so a lost request is searched for as long before its order can be paid; lower it.",
        ),
        (vec![("POLL_PAGES", "1")], ""),
        (
            vec![("STATUS_PAID", "Paid,Completed")],
            "`status_paid` has the status `Paid,Completed`, which is compared exactly, as one status; repeat the \
             setting for each status, or write a list in the file.",
        ),
        (
            vec![("STATUS_CLOSED", "Expired; Void")],
            "`status_closed` has the status `Expired; Void`, which is compared exactly, as one status; repeat the \
             setting for each status, or write a list in the file.",
        ),
        (vec![("STATUS_PAID", "Paid\nCompleted")], ""),
        (
            vec![("STATUS_PAID", "Paid|Done")],
            "`status_paid` has the status `Paid|Done`, which is compared exactly, as one status; repeat the setting for each \
             status, or write a list in the file.",
        ),
        (
            vec![paid, ("STATUS_CLOSED", "PAID")],
            "`Paid` of `status_paid` and `PAID` of `status_closed` differ only in capitals, white space or punctuation; one of \
             them probably has the wrong meaning.",
        ),
        (
            vec![told[1]],
            "`notify_secret` is set and `notify_url` is not, so nothing is sent; set `notify_url` to the address of the shop's \
             receiver.",
        ),
        (
            with_told(&[paid, ("NOTIFY_URL", "https://shop.example")]),
            "`notify_url` has no path, so notifications go to the shop's home page; write the address of its receiver.",
        ),
        (
            with_told(&[paid, ("NOTIFY_FOLLOW_HOURS", "1")]),
            "`notify_follow_hours` is 1, so the shop never learns of a payment that is paid later; raise it.",
        ),
        (with_told(&[paid, ("NOTIFY_FOLLOW_HOURS", "24")]), ""),
        (
            vec![
                ("PAYMENT_LINKS", "true"),
                ("PAYMENT_LINK_MAX_QUANTITY", "btc=1"),
                ("PUBLIC_URL", "https://pay.shop.example"),
            ],
            "`payment_links` is on and there is no `merchant_key`, so no one can make a link; set `merchant_key`.",
        ),
        (
            vec![("ORDER_MAX_DAYS", "40000")],
            "`order_max_days` is 40000, so a price may be valid for years; lower it.",
        ),
        (
            vec![("DRAIN_SECONDS", "86400")],
            "`drain_seconds` is 86400, so each restart takes as long; lower it.",
        ),
        (
            vec![("ALLOW_ORIGIN", "http://shop.example")],
            "`allow_origin` has http://shop.example without TLS, so others may change its pages, and the wallet that a buyer \
             sees; serve them by https.",
        ),
        (
            vec![(
                "ALLOW_ORIGIN",
                "http://localhost:3000\nhttp://tauri.localhost",
            )],
            "",
        ),
        (
            vec![
                ("ALLOW_ORIGIN", "http://shop.example"),
                ("TEST_MODE", "true"),
            ],
            "",
        ),
        (
            vec![("UPSTREAM_HEADER", "Authorization: Bearer \"tnd_8e1c0a5d\"")],
            "`upstream_header` has the value of `authorization` in quotes, which are sent, too; remove them.",
        ),
        (
            vec![("POLL_SECONDS", "86400")],
            "`poll_seconds` is 86400, so buyers wait as long until they see that they have paid; lower it.",
        ),
        (vec![("POLL_SECONDS", "60")], ""),
        (vec![("POLL_SECONDS", "86400"), ("TEST_MODE", "true")], ""),
        (
            vec![("ORDER_MEMORY_DAYS", "1")],
            "`order_memory_days` is 1, and an order is remembered for 30 days at least; an order that is signed again later may \
             get a second payment: raise it.",
        ),
        (vec![("ORDER_MEMORY_DAYS", "1"), ("TEST_MODE", "true")], ""),
        (
            vec![("UPSTREAM_HEADER", "X-Credential: ...")],
            "`upstream_header` has a placeholder as the value of `x-credential`, so the service will refuse all calls; write the \
             credential that it gave you.",
        ),
        (vec![credential], ""),
        (vec![far, credential], ""),
        (vec![far, ("TEST_MODE", "true")], ""),
        (
            vec![far],
            "there is no `upstream_header`, so the service gets no credentials of yours; set it to the header that the service \
             requires.",
        ),
        (
            vec![("DATABASE_URL", "postgres://tender@db.example/tender")],
            "the connection to PostgreSQL does not verify the server's certificate; add `sslmode=verify-full` to \
             `database_url`.",
        ),
        (
            vec![
                ("RATES_BASE_URL", "http://rates.example"),
                ("ALLOW_HTTP_UPSTREAM", "true"),
                credential,
            ],
            "`rates_base_url` has no TLS, so others may read and change the amounts and wallets of payments; write https, \
             unless only your own programs use that network.",
        ),
        (
            vec![("BASE_URL", "https://pay.example/api/v1/"), credential],
            "`base_url` contains `/api/v1`, which the proxy adds itself; remove it unless the service has it twice.",
        ),
        (
            vec![
                ("BASE_URL", "https://pay.example"),
                ("RATES_BASE_URL", "https://pay.example"),
                credential,
            ],
            "`base_url` and `rates_base_url` are the same, and the service has two addresses; check both.",
        ),
        (
            vec![("PUBLIC_URL", "https://pay.shop.example/pay")],
            "`public_url` ends with `/pay`, which the proxy adds itself; remove it unless the server in front passes such a \
             path on.",
        ),
        (vec![("PUBLIC_URL", "https://pay.shop.example/tender/")], ""),
        (
            with_told(&[paid, ("PUBLIC_URL", "https://shop.example")]),
            "`notify_url` is at the address of the proxy (`public_url`); write that of the shop's backend, unless a server in \
             front passes its path to it.",
        ),
        (
            vec![("FIRST_PAGE", "20")],
            "`first_page` is 20, so the pages before it are never read; it is the number of the page with the newest payments, \
             usually 0 or 1.",
        ),
        (
            vec![("UPSTREAM_TIMEOUT_SECONDS", "120")],
            "`upstream_timeout_seconds` is 120, and a page waits for 30 only; lower it.",
        ),
        (
            vec![("TRUSTED_PROXIES", "10")],
            "`trusted_proxies` is 10: it is the number of your servers in front, one after the other, usually 1; with too many, \
             clients choose their address themselves.",
        ),
        (
            vec![("ALLOW_ORIGIN", "https://shop.example\n*")],
            "`allow_origin` has `*`, which allows pages of any origin, so the others have no effect; remove it or them.",
        ),
        (
            vec![("STATUS_PAYED", "Paid")],
            "nothing reads the environment variable `TENDER_STATUS_PAYED`; write `TENDER_STATUS_PAID` if you mean that setting.",
        ),
        (
            vec![
                ("SERVICE_HOST", "10.0.0.11"),
                ("PORT", "tcp://10.0.0.11:8081"),
            ],
            "",
        ),
    ] {
        let warned = warning(&checked(&settings));
        assert_eq!(warned.unwrap_or_default(), expected, "{settings:?}");
    }
}

/// What can't work is an error.
#[test]
fn the_check_refuses_what_can_not_work() {
    let http = "can't be used: `upstream_header` would be sent without encryption; write https, or set `allow_http_upstream` if \
                only your own programs use that network";
    let credential = ("UPSTREAM_HEADER", "X-Credential: tnd_8e1c0a5d");
    let far = ("BASE_URL", "http://pay.example");
    for (settings, errors) in [
        (
            vec![("ALLOW_ORIGIN", "https://*.shop.example")],
            vec![
                "`allow_origin` can't be used: \"https://*.shop.example\" is a pattern, and browsers send none; write each origin, \
                 such as https://shop.example"
                    .to_owned(),
            ],
        ),
        (vec![credential, far], vec![format!("`base_url` {http}")]),
        (
            vec![credential, far, ("RATES_BASE_URL", "http://10.0.0.5:8083")],
            vec![format!("`base_url` {http}"), format!("`rates_base_url` {http}")],
        ),
        (
            vec![("SHOP_NAME", "\"My shop\"")],
            vec!["`shop_name` can't be used: it is in quotes; remove them".to_owned()],
        ),
        (
            vec![
                ("PAYMENT_LINKS", "true"),
                ("PAYMENT_LINK_MAX_QUANTITY", "btc=1"),
                ("PAYMENT_LINK_MAX_DAYS", "500"),
                ("PUBLIC_URL", "https://pay.shop.example"),
            ],
            vec![
                "`payment_links` can't be used: `payment_link_max_days` is more than `order_max_days`, so links would be \
                 refused; lower it"
                    .to_owned(),
            ],
        ),
        (
            vec![("METRICS_LISTEN", "127.0.0.1:8081")],
            vec!["`metrics_listen` can't be used: `listen` has the same address and port; choose another port".to_owned()],
        ),
        (
            vec![("METRICS_LISTEN", "0.0.0.0:8081")],
            vec!["`metrics_listen` can't be used: `listen` has the same address and port; choose another port".to_owned()],
        ),
        (
            vec![("STATUS_PAID", "Paid\ncancelled")],
            vec!["`status_paid` can't be used: \"cancelled\" is the status of a cancelled payment; remove it".to_owned()],
        ),
        (
            vec![("PAYMENT_LINK_MAX_QUANTITY", "usdtt=500,btc=0.01")],
            vec![
                "`payment_link_max_quantity` can't be used: write one token; repeat the setting for each of them".to_owned(),
            ],
        ),
        // A misspelt variable explains an error.
        (
            vec![("NOTIFY_URL", "https://shop.example/"), ("NOTIFY_SECRETS", "whsec_")],
            vec![
                "`notify_url` needs `notify_secret` or `notify_secret_file`, which signs the notifications; `echo whsec_$(openssl \
                 rand -base64 32)` generates a good one"
                    .to_owned(),
                "nothing reads the environment variable `TENDER_NOTIFY_SECRETS`; write `TENDER_NOTIFY_SECRET` if you mean that setting".to_owned(),
            ],
        ),
    ] {
        let done = checked(&settings);
        let told: Vec<_> = done.is(2).err.lines().collect();
        assert_eq!(told, errors);
    }
    // In a network of containers, and on this machine.
    for service in [
        "http://sandbox:8082",
        "http://localhost:8082",
        "http://[::1]:8082",
    ] {
        let settings = [
            credential,
            ("BASE_URL", service),
            ("ALLOW_HTTP_UPSTREAM", "true"),
        ];
        checked(&settings).is(0);
        let is_here = !service.contains("sandbox");
        checked(&settings[..2]).is(if is_here { 0 } else { 2 });
    }
}

/// The end of `--check` says what the proxy would do.
#[test]
fn the_check_ends_with_a_summary() {
    let done = checked(&[
        ("ORDER_KEY", &format!("2026={A}\n{B}")),
        ("STATUS_PAID", "Paid\n2"),
        ("STATUS_PENDING", "Confirming"),
        ("NOTIFY_URL", "https://shop.example/hooks?token=hunter2"),
        ("NOTIFY_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        (
            "DATABASE_URL",
            "postgres://me:hunter2@db/tender?sslmode=verify-full",
        ),
        ("UPSTREAM_HEADER", "X-Credential: hunter2"),
        ("MERCHANT_KEY", "a-merchant-key-of-the-tests-32-characters"),
    ]);
    let summary = "\
The configuration is valid.
Service: payments at http://127.0.0.1:9/ and tokens at http://127.0.0.1:9/, with the header x-credential, with real money.
Whose pages may call the proxy: only the proxy's own (`allow_origin` is not set).
Who signs orders: the shop with a secret (`2026`); the shop with a secret (`order_key 2`); the page itself, without a signature and at \
any price (`allow_unsigned_orders`). \
They expire within 400 days.
Statuses that mean pending: `Confirming`; underpaid: none; paid: `Paid`, `2`; closed: only `Cancelled`.
Notifications of payments are sent to: https://shop.example, with 1 signature(s), for 72 hours after the payment was created.
What is remembered, in PostgreSQL: payments for 30 days, orders for 365 days after their last update.
Who lists and cancels payments: holders of 1 merchant key(s). There is no webhook.
";
    assert_eq!(done.is(0).out, summary);
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
