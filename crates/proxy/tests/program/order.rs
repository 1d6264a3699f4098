//! Tests of `order sign`.

use std::fs;
use std::process::Command;

use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::path;

use crate::done::Done;
use crate::support::{Program, command, sandbox, with_sandbox, without_service};

const SECRET: &str = "an order key of the tests, 32 characters or more";
const OTHER: &str = "another order key of the tests, 32 characters or more";
const PUBLIC: &str = "https://pay.shop.example";

/// Pixels per side of a module of a QR code.
const SCALE: usize = 4;

/// `order sign` with these flags, for a proxy with two keys.
fn sign(flags: &[&str]) -> Command {
    let mut command = without_service(&["order", "sign", "--token=usdtt", "--quantity=48.50"]);
    command.args(["--invoice-number=INV-1", "--expires=7d"]);
    command.env("TENDER_ORDER_KEY", format!("2026={SECRET}\n2025={OTHER}"));
    command.args(flags);
    command
}

/// Creates the payment of an order at a proxy with this key.
async fn pay(order: &str, key: &str) -> Value {
    let sandbox = sandbox().await;
    let mut command = with_sandbox(&sandbox, &["--database-url=sqlite::memory:"]);
    command.env("TENDER_ORDER_KEY", key);
    let proxy = Program::start(command);
    let body = json!({ "order": order, "paymentToken": "trx" });
    let request = Client::new().post(proxy.url(path::PAYMENT)).json(&body);
    request.send().await.unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_order_is_bought() {
    let done = Done::of(sign(&["--purchase-name=Ada"]).env("TENDER_PUBLIC_URL", PUBLIC));
    let lines: Vec<_> = done.is(0).out.lines().collect();
    let [order, address] = lines[..] else {
        panic!("{}", done.out);
    };
    assert_eq!(address, format!("{PUBLIC}{}?order={order}", path::PAY));
    let payment = pay(order, &format!("2026={SECRET}")).await;
    assert_eq!(payment["invoiceNumber"], "INV-1", "{payment}");
    assert_eq!(payment["purchaseName"], "Ada");
    let done = Done::of(&mut sign(&["--kid=2025"]));
    done.is(0).reports("`public_url` is not set");
    let payment = pay(done.out.trim(), &format!("2025={OTHER}")).await;
    assert_eq!(payment["quantity"], 48.5, "{payment}");
}

#[test]
fn a_terminal_shows_a_code_to_scan() {
    let mut command = sign(&[]);
    command.env("TENDER_PUBLIC_URL", PUBLIC);
    let done = Done::at_terminal(command, 80, "");
    let mut lines = done.is(0).out.lines().skip(1);
    let address = lines.next().unwrap();
    let rows: Vec<Vec<char>> = lines
        .map(|line| {
            let line = line.strip_prefix("\u{1b}[38;5;16;48;5;231m").unwrap();
            line.strip_suffix("\u{1b}[0m").unwrap().chars().collect()
        })
        .collect();
    let width = rows[0].len();
    assert!(width <= 80, "{width}");
    let is_dark = |x: usize, y: usize| {
        let dark = if (y / SCALE).is_multiple_of(2) {
            "▀█"
        } else {
            "▄█"
        };
        dark.contains(rows[y / SCALE / 2][x / SCALE])
    };
    let (width, height) = (width * SCALE, rows.len() * 2 * SCALE);
    let mut image = rqrr::PreparedImage::prepare_from_bitmap(width, height, is_dark);
    let (_, content) = image.detect_grids()[0].decode().unwrap();
    assert_eq!(content, address);
}

/// A page takes a longer order than a link.
#[test]
fn an_order_that_is_too_long_for_a_link_has_no_address() {
    let sign = |length| {
        let page = format!("--return-url=https://shop.example/{}", "x".repeat(length));
        Done::of(sign(&[&page]).env("TENDER_PUBLIC_URL", PUBLIC))
    };
    assert_eq!(sign(1800).is(0).out.lines().count(), 2);
    let done = sign(2400);
    assert_eq!(done.is(0).out.lines().count(), 1);
    done.reports("There is no address to pay at: the order has ")
        .reports("characters, and an address has room for 3000; shorten its texts");
    let done = sign(3000);
    assert_eq!(done.is(1).out, "");
    done.reports("the order was not signed: it would have ")
        .reports("characters, and may have 4096; shorten its texts");
}

#[test]
fn what_can_not_be_signed_is_explained() {
    for (flag, code, reason) in [
        ("--quantity=0", 1, "`quantity` must be more than zero"),
        (
            "--quantity=1,5",
            2,
            "`1,5` is not a decimal number; write it like 12.50",
        ),
        ("--token=eth", 1, "`token` must be one of trx, usdtt"),
        ("--invoice-number=", 1, "`invoiceNumber` is empty"),
        (
            "--invoice-number=INV-1 ",
            1,
            "`invoiceNumber` begins or ends with white space",
        ),
        ("--expires=-7d", 2, "write 7d, 12h or 30m"),
        (
            "--expires=401d",
            1,
            "`expires` is more than 400 days, which `order_max_days` allows",
        ),
        (
            "--quantity=0.30000000000000004",
            1,
            "`quantity` is 0.30000000000000004, and usdtt has 6 decimals",
        ),
        (
            "--return-url=http://shop.example",
            1,
            "`returnUrl` is not an https address",
        ),
        (
            "--kid=2024",
            1,
            "no secret in `order_key` has the kid `2024`",
        ),
    ] {
        // With this flag instead of the usual one.
        let name = flag.split_once('=').unwrap().0;
        let mut command = command();
        for argument in sign(&[]).get_args().map(|text| text.to_str().unwrap()) {
            if !argument.starts_with(name) {
                command.arg(argument);
            }
        }
        command
            .arg(flag)
            .env("TENDER_ORDER_KEY", format!("2026={SECRET}"));
        let done = Done::of(&mut command);
        done.is(code).reports(reason);
        assert_eq!(done.out, "", "{flag}");
    }
    // openssl pkey -pubout
    let key = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("order-key.pub");
    fs::write(&file, key).unwrap();
    let mut command = sign(&[]);
    command
        .env_remove("TENDER_ORDER_KEY")
        .env("TENDER_ORDER_KEY_FILE", file);
    Done::of(&mut command)
        .is(1)
        .reports("`order_key` has no secret to sign with");
}
