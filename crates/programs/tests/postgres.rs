//! Tests that a PostgreSQL server starts, creates databases, and stops.

use std::path::Path;

use tender_programs::Postgres;

#[test]
fn a_server_leaves_nothing_behind() {
    let server = Postgres::start();
    let (one, other) = (server.new_database(), server.new_database());
    assert_ne!(one, other);
    let (_, rest) = one.split_once('@').unwrap();
    let directory = rest.split_once('/').unwrap().0.replace("%2F", "/");
    assert!(Path::new(&directory).join(".s.PGSQL.5432").exists());
    drop(server);
    assert!(!Path::new(&directory).exists());
}
