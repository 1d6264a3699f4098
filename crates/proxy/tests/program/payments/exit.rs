//! Tests of exit codes and of merchant keys.

use std::fs;
use std::net::TcpListener;

use axum::http::StatusCode;
use tempfile::TempDir;
use tender_sandbox::{Endpoint, Fault};

use super::{KEY, World};
use crate::done::Done;
use crate::support::{PROXY_VARIABLES, without_service};

#[tokio::test(flavor = "multi_thread")]
async fn each_result_has_an_exit_code() {
    let world = World::new().await;
    for (arguments, code) in [
        (&["list"][..], 0),
        (&["show", "unknown"], 3),
        (&["cancel", "--yes", "unknown"], 3),
        (&[], 2),
        (&["pay"], 2),
        (&["list", "--page", "0"], 2),
        (&["list", "--page", "2", "--all"], 2),
        (&["cancel"], 2),
        (&["list", "--proxy", "ftp://pay.example"], 2),
        (&["list", "--proxy", "pay.example"], 2),
        (&["list", "--merchant-key-file", "/nowhere"], 2),
    ] {
        world.run(arguments).is(code);
    }
    let failing = Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "").on(Endpoint::List);
    world.inject(failing);
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let nowhere = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    for arguments in [&["list"][..], &["show", "a"], &["cancel", "--yes", "a"]] {
        let done = world.run(arguments);
        done.is(1).reports("The payment service failed");
        let done = world.run(&[arguments, &["--proxy", &nowhere]].concat());
        done.is(5).reports(&nowhere).reports("--proxy");
        assert_eq!(done.out, "");
    }
    // A server that is not a proxy.
    let rates = world.sandbox.rates_base_url();
    world.run(&["list", "--proxy", rates]).is(1).reports("404");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_merchant_key_by_environment_file_or_flag_is_accepted() {
    let world = World::new().await;
    let none = Done::of(&mut world.keyless(&["list"]));
    none.is(4).reports("TENDER_MERCHANT_KEY");
    let wrong = "another-key-which-is-32-characters-or-more-as-well";
    let mut command = world.keyless(&["show", "a"]);
    let done = Done::of(command.env("TENDER_MERCHANT_KEY", wrong));
    done.is(4);
    assert!(!done.err.contains(wrong), "{}", done.err);
    // A proxy of the environment would see the key.
    let mut command = world.command(&["list"]);
    for name in PROXY_VARIABLES {
        command.env(name, "http://127.0.0.1:9");
    }
    Done::of(&mut command).is(0);
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("key");
    // In the format of the proxy: one key per line.
    let keys = format!("# since March\n\n{KEY}\nanother-key-which-is-for-another-time\n");
    fs::write(&file, keys).unwrap();
    let file = file.to_str().unwrap();
    let of_file = ["list", "--merchant-key-file", file];
    Done::of(&mut world.keyless(&of_file)).is(0);
    let mut command = world.keyless(&["list"]);
    Done::of(command.env("TENDER_MERCHANT_KEY_FILE", file)).is(0);
    Done::of(&mut world.keyless(&["--merchant-key", KEY, "list"])).is(0);
    world.run(&of_file).is(2).reports("two merchant keys");
    // A blank one counts as not set.
    for blank in ["", "  \n"] {
        let mut command = world.keyless(&["list"]);
        Done::of(command.env("TENDER_MERCHANT_KEY", blank)).is(4);
        let mut command = world.keyless(&of_file);
        Done::of(command.env("TENDER_MERCHANT_KEY", blank)).is(0);
    }
    for (bad, reason) in [
        (
            "a\u{1}b",
            "the merchant key, line 1: it contains an invisible or control character",
        ),
        (
            "schlüssel",
            "the merchant key has white space or characters that are not ASCII",
        ),
        (
            "\n#old\n",
            "the merchant key, line 2: it begins with `#`; write a space after the `#`",
        ),
        (
            "\"key\"",
            "the merchant key, line 1: it is in quotes; remove them",
        ),
    ] {
        let mut command = world.keyless(&["list"]);
        let done = Done::of(command.env("TENDER_MERCHANT_KEY", bad));
        done.is(2).reports(reason);
    }
    // The key instead of the name of its file.
    let mut command = world.keyless(&["list", "--merchant-key-file", KEY]);
    Done::of(&mut command).is(2).reports("can't be read");
    let help = world.run(&["list", "--help"]);
    help.is(0);
    assert!(help.out.contains("TENDER_MERCHANT_KEY"), "{}", help.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_pipe_is_not_a_failure() {
    let world = World::new().await;
    world.pay_often(20).await;
    let key = "order-secret-of-at-least-32-characters";
    let sign = "--token=usdtt --quantity=1 --invoice-number=INV-1 --expires=7d";
    let of_operator = |arguments: &str| {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let mut command = without_service(&arguments);
        command.env("TENDER_ORDER_KEY", key);
        command.env("TENDER_PUBLIC_URL", "https://pay.shop.example");
        command
    };
    for mut command in [
        world.command(&["list", "--json"]),
        of_operator(&format!("order sign {sign}")),
        of_operator("--check"),
        of_operator("openapi"),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = command.stdout(writer).status().unwrap();
        assert_eq!(status.code(), Some(0), "{command:?}");
    }
}
