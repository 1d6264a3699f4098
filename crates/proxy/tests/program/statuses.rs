//! Tests of `statuses`, and of what the program says of statuses without a meaning.

use std::fs;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;
use tender_protocol::{Status, path};
use tender_sandbox::Sandbox;

use crate::done::Done;
use crate::payments::create;
use crate::support::{Program, sandbox, with_sandbox};

/// What the log says of a status without a meaning.
const UNMAPPED: &str = "no setting says what this status of the service means";

fn with_database(sandbox: &Sandbox, directory: &TempDir, arguments: &[&str]) -> Command {
    let mut command = with_sandbox(sandbox, &["--allow-unsigned-orders"]);
    let database = directory.path().join("tender.db");
    command.env(
        "TENDER_DATABASE_URL",
        format!("sqlite:{}", database.display()),
    );
    command.args(arguments);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_without_a_meaning_and_a_mapping_without_a_payment_are_told() {
    let (sandbox, directory) = (sandbox().await, TempDir::new().unwrap());
    let program = Program::start(with_database(&sandbox, &directory, &["--poll-seconds=1"]));
    let mut ids = Vec::new();
    for invoice in ["INV-1", "INV-2"] {
        let fields = json!({ "invoiceNumber": invoice });
        ids.push(create(&program.url(path::PAYMENT), "25.00".into(), fields).await);
    }
    let statuses = |settings: &[&str]| {
        let arguments = [settings, &["statuses"]].concat();
        Done::of(&mut with_database(&sandbox, &directory, &arguments))
    };
    let mapped = ["--status-paid=completed", "--status-pending=Seen"];
    // As long as all payments are new, nothing is known.
    assert_eq!(statuses(&mapped).is(0).err, "");
    for id in &ids {
        let completed = Status::new("2", "Completed").unwrap();
        sandbox.controls().set_status(id, completed).unwrap();
    }
    // The change is logged before it is stored.
    let is_stored = || statuses(&mapped).is(0).out.contains("\tCompleted\t2\t");
    while !is_stored() {}
    let log = program.stop();
    assert_eq!(log.matches(UNMAPPED).count(), 1, "{log}");
    let line = log.lines().find(|line| line.contains(UNMAPPED)).unwrap();
    for text in [
        "WARN",
        "\"Completed\"",
        "status_id=\"2\"",
        "`status_paid`",
        "`tender-proxy statuses`",
    ] {
        assert!(line.contains(text), "{line}");
    }

    let done = statuses(&mapped);
    assert!(
        done.is(0).out.contains("2\tCompleted\t2\tnot mapped\t"),
        "{}",
        done.out
    );
    let warnings = "\
Warning: no stored payment has the status `Seen` of `status_pending`; compare it with those of `tender-proxy statuses`.
Warning: no stored payment has the status `completed` of `status_paid`; the service sends `Completed`: write it exactly so.
";
    assert_eq!(done.err, warnings);
    assert_eq!(statuses(&["--status-paid=Completed"]).is(0).err, "");
    // The file may also be named after the command.
    let file = directory.path().join("proxy.toml");
    fs::write(&file, "status_paid = [\"Completed\"]").unwrap();
    let arguments = ["statuses", "--config", file.to_str().unwrap()];
    let done = Done::of(&mut with_database(&sandbox, &directory, &arguments));
    assert!(
        done.is(0).out.contains("2\tCompleted\t2\tpaid\t"),
        "{}",
        done.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_status_has_a_line_with_what_it_means() {
    let (sandbox, directory) = (sandbox().await, TempDir::new().unwrap());
    let settings = ["--poll-seconds=1", "--status-paid=Paid"];
    let program = Program::start(with_database(&sandbox, &directory, &settings));
    let mut ids = Vec::new();
    for (invoice, status) in [
        ("INV-1", "Created"),
        ("INV-2", "Paid"),
        ("INV-3", "Paid"),
        ("INV-4", "Odd\t\u{202e}\u{7}"),
        ("INV-5", "Cancelled"),
    ] {
        let fields = json!({ "invoiceNumber": invoice });
        let id = create(&program.url(path::PAYMENT), "25.00".into(), fields).await;
        if status != "Created" {
            let status = Status::new("7", status).unwrap();
            sandbox.controls().set_status(&id, status).unwrap();
        }
        ids.push(id);
    }
    let statuses = |settings: &[&str]| {
        let arguments = [settings, &["statuses"]].concat();
        Done::of(&mut with_database(&sandbox, &directory, &arguments))
    };
    let table = loop {
        let table = statuses(&["--status-paid=Paid"]).out;
        if table.lines().count() == 5 && table.contains("\tPaid\t2\t") {
            break table;
        }
    };
    program.stop();
    let lines = table.lines().map(|line| line.rsplit_once('\t').unwrap());
    let (lines, examples): (Vec<_>, Vec<_>) = lines.unzip();
    let expected = [
        "statusId\tstatusText\tpayments\tmeaning",
        "1\tCreated\t1\tnew",
        "7\tCancelled\t1\tclosed",
        "7\tOdd\\t\\u{202e}\\u{7}\t1\tnot mapped",
        "7\tPaid\t2\tpaid",
    ];
    assert_eq!(lines, expected);
    assert_eq!(examples[0], "example");
    assert!(
        examples[1..]
            .iter()
            .all(|id| ids.iter().any(|own| own == id))
    );
    // It does not create a database.
    for nowhere in ["sqlite::memory:", "sqlite:/nowhere/tender.db"] {
        let nowhere = format!("--database-url={nowhere}");
        statuses(&[&nowhere]).is(1).reports("can't use SQLite in");
    }
}
