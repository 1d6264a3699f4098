//! The databases of the tests: SQLite, and PostgreSQL where a test could depend on it.

use std::env;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _, stdout};
use std::process::{Command, Stdio};
use std::thread::available_parallelism;

use tempfile::TempDir;
use tender_programs::Postgres;

/// The modules whose tests run on SQLite only. All others run on PostgreSQL, too.
const SQLITE_ONLY: [&str; 26] = [
    "assets",
    "create",
    "credentials",
    "database",
    "database_tls",
    "first_paint",
    "hosted",
    "hostile",
    "languages",
    "limits",
    "list",
    "list_pages",
    "metrics",
    "nginx",
    "orders",
    "origins",
    "pass_through",
    "payment_links",
    "recorded",
    "requests",
    "resilience",
    "schemathesis",
    "shop_page",
    "slow_clients",
    "tokens",
    "versions",
];

/// With this environment variable, the tests run on PostgreSQL.
const ON_POSTGRESQL: &str = "TENDER_TEST_ON_POSTGRESQL";

fn is_postgresql() -> bool {
    env::var_os(ON_POSTGRESQL).is_some()
}

/// The address of an empty database.
pub(crate) fn database() -> String {
    if is_postgresql() {
        Postgres::shared().new_database()
    } else {
        "sqlite::memory:".to_owned()
    }
}

/// The address of an empty database that survives an instance, and the directory that it needs.
pub(crate) fn persistent_database() -> (String, Option<TempDir>) {
    if is_postgresql() {
        return (database(), None);
    }
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("tender.db");
    File::create(&file).unwrap();
    (format!("sqlite:{}", file.display()), Some(directory))
}

/// Runs this program again, with half of the threads, because the tests on SQLite run at the same time. Its output is
/// written directly, because the test harness captures that of `println!`.
#[test]
fn the_tests_pass_on_postgresql() {
    let program = env::current_exe().unwrap();
    let listing = Command::new(&program).arg("--list").output().unwrap();
    let listing = String::from_utf8(listing.stdout).unwrap();
    let tests = listing
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    let is_in = |test: &str, module| test.split("::").next() == Some(module);
    let (once, again): (Vec<_>, Vec<_>) =
        tests.partition(|test| SQLITE_ONLY.iter().any(|module| is_in(test, module)));
    for module in SQLITE_ONLY {
        let has_tests = once.iter().any(|test| is_in(test, module));
        assert!(has_tests, "`SQLITE_ONLY` has {module}, which has no tests");
    }

    let threads = available_parallelism().unwrap().get().div_ceil(2);
    let mut running = Command::new(program)
        .env(ON_POSTGRESQL, "1")
        .args(["--exact", &format!("--test-threads={threads}")])
        .args(again)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    for line in BufReader::new(running.stdout.take().unwrap()).lines() {
        writeln!(stdout(), "PostgreSQL: {}", line.unwrap()).unwrap();
    }
    let status = running.wait().unwrap();
    assert!(status.success(), "tests failed on PostgreSQL, see above");
}
