//! `payments list`: which pages it reads.

use std::ops::Range;

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Fault};

use super::World;
use super::list::{ODD, ids, page};

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
    for records in [records(2..22), records(20..40), records(38..45)] {
        world.inject(page(&records).once());
    }
    let done = world.run(&["list", "--all", "--json"]);
    let expected: Vec<_> = (2..45).map(|number| format!("t-{number}")).collect();
    assert_eq!(ids(&done.is(0).json()), expected);
    assert_eq!(world.calls(Endpoint::List), 4);
}

/// A service's response to a page past the end is not documented.
#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_end_is_recognised() {
    for (end, pages) in [
        (page(&[]), 2),
        (page(&records(0..20)), 3),
        (page(&records(20..21)), 4),
        (
            Fault::respond(StatusCode::NOT_FOUND, "").on(Endpoint::List),
            2,
        ),
    ] {
        let world = World::new().await;
        world.inject(page(&records(0..20)).once());
        world.inject(end);
        let done = world.run(&["list", "--all", "--json"]);
        assert!(matches!(ids(&done.is(0).json()).len(), 20 | 21));
        assert_eq!(world.calls(Endpoint::List), pages);
    }
    // But the first page must exist, and a page that failed is no end.
    let world = World::new().await;
    let failing = |status| Fault::respond(status, "").on(Endpoint::List);
    world.inject(failing(StatusCode::NOT_FOUND).once());
    assert_eq!(world.run(&["list", "--json"]).is(1).out, "");
    world.inject(page(&records(0..20)).once());
    world.inject(failing(StatusCode::BAD_GATEWAY));
    let done = world.run(&["list", "--all"]);
    done.is(1).reports("The payment service failed");
    assert_eq!(done.out, "");
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
        .reports("1 element of page 1 skipped");
    assert_eq!(table.out.lines().count(), 2);
    let json = world.run(&["list", "--json"]);
    json.is(0).reports("1 element of page 1 skipped");
    let [unreadable, _, odd] = elements;
    assert_eq!(json.out, format!("[{unreadable},{odd}]\n"));
}
