//! `payments list`: which pages it reads.

use std::ops::Range;

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Fault};

use super::list::{ODD, ids, page};
use super::{Done, World};

/// Records that differ only in their transactionId.
fn records(numbers: Range<usize>) -> Vec<String> {
    let record = |number| ODD.replace("t-1", &format!("t-{number}"));
    numbers.map(record).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_shows_one_page_or_all() {
    let world = World::new().await;
    let mut created = world.pay_often(45).await;
    created.reverse();
    for (arguments, expected) in [
        (&["list", "--json"][..], &created[..20]),
        (&["list", "--json", "--page", "3"], &created[40..]),
        (&["list", "--json", "--page=9"], &[]),
        (&["list", "--json", "--all"], &created[..]),
        (&["list", "--json", "--all", "--pages", "2"], &created[..40]),
    ] {
        let done = world.run(arguments);
        assert_eq!(ids(&done.is(0).json()), expected, "{arguments:?}");
    }
    let cut = world.run(&["list", "--all", "--pages", "2"]);
    cut.is(0).reports("the newest 40 payments (2 pages)");
    // Filters apply to the pages that are read.
    let invoice = |arguments: &[&str]| {
        let arguments = [&["list", "--json", "--invoice", "INV-0"], arguments].concat();
        world.run(&arguments).is(0).json()
    };
    assert_eq!(ids(&invoice(&["--all"])), &created[44..]);
    assert_eq!(invoice(&[]), json!([]));
    let paid = Status::new("7", "Paid").unwrap();
    let controls = world.sandbox.controls();
    controls.set_status(&created[30], paid).unwrap();
    for status in ["paid", "7"] {
        let done = world.run(&["list", "--json", "--all", "--status", status]);
        assert_eq!(ids(&done.is(0).json()), [&*created[30]]);
    }
}

/// Two payments are created during the reading, so all others move down.
#[tokio::test(flavor = "multi_thread")]
async fn a_changing_list_shows_each_payment_once() {
    let world = World::new().await;
    for (numbers, times) in [
        (2..22, 1),
        // It is read on after t-21.
        (0..20, 1),
        (20..40, 2),
        // After t-39, which is the last one of its page before and after the next one was read.
        (40..45, 1),
        (20..40, 1),
        // After t-44.
        (40..45, 1),
        (0..0, 1),
        (40..45, 1),
    ] {
        for _ in 0..times {
            world.inject(page(&records(numbers.clone())).once());
        }
    }
    let done = world.run(&["list", "--all", "--json"]);
    let expected: Vec<_> = (2..45).map(|number| format!("t-{number}")).collect();
    assert_eq!(ids(&done.is(0).json()), expected);
    assert_eq!(world.calls(Endpoint::List), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_can_not_be_read_to_its_end_is_not_shown() {
    for (next, message) in [
        (page(&records(0..20)), "read the list from its start"),
        (
            Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List),
            "The payment service failed",
        ),
    ] {
        let world = World::new().await;
        world.inject(page(&records(20..40)).once());
        world.inject(next);
        let done = world.run(&["list", "--all"]);
        done.is(1).reports(message);
        assert_eq!(done.out, "");
    }
    // Nor is one without a first page.
    let world = World::new().await;
    let refused = Fault::respond(StatusCode::NOT_FOUND, "").on(Endpoint::List);
    world.inject(refused.once());
    assert_eq!(world.run(&["list", "--json"]).is(1).out, "");
    // An older proxy returns the newest payments each time, as the service does.
    world.pay_often(21).await;
    let mut command = world.command(&["list", "--all"]);
    let done = Done::of(command.env("TENDER_PROXY", world.sandbox.base_url()));
    done.is(1).reports("is it an older version?");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_read_is_skipped_and_reported() {
    let world = World::new().await;
    let unreadable = r#"{"transactionId":"t-0"}"#.to_owned();
    let elements = [unreadable, "null".to_owned(), ODD.to_owned()];
    world.inject(page(&elements));
    let table = world.run(&["list"]);
    table
        .is(0)
        .reports("`token`")
        .reports("1 element of the list skipped");
    assert_eq!(table.out.lines().count(), 2);
    let json = world.run(&["list", "--json"]);
    json.is(0).reports("1 element of the list skipped");
    let [unreadable, _, odd] = elements;
    assert_eq!(json.out, format!("[{unreadable},{odd}]\n"));
}
