//! `ledger settle`, and what `payments list` shows of late duplicates.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _};

use super::World;
use crate::done::Done;
use crate::support::with_sandbox;

const ID: &str = "0b6c0a52-6a4f-4d2e-8f4e-1d1f6f3b9c11";

/// A late duplicate, which the proxy leaves alone.
const INSERT: &str = r#"
    INSERT INTO attempts (id, duplicate_of, fingerprint, request, stage, transaction_id, record, begun_at,
        fence, lease_until, called_at, settles_at, written_at, kept_until)
    VALUES ('late', 'attempt', 'late',
        '{"token":"usdtt","quantity":25.00,"paymentToken":"trx","invoiceNumber":"INV-7"}',
        'duplicate', '0b6c0a52-6a4f-4d2e-8f4e-1d1f6f3b9c11',
        '{"transactionId":"0b6c0a52-6a4f-4d2e-8f4e-1d1f6f3b9c11","statusId":"1"}',
        1792000000000, 0, 0, 0, 0, 1792000000000, 9000000000000)"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_late_duplicate_is_settled_by_hand() {
    let world = World::with(&["--database-url", "sqlite:tender.db"]).await;
    let path = world.proxy.directory().join("tender.db");
    let url = format!("sqlite:{}", path.display());
    let settle = |id: &str| {
        let settings = ["--allow-unsigned-orders", "--database-url", &url];
        Done::of(with_sandbox(&world.sandbox, &settings).args(["ledger", "settle", id]))
    };
    let unknown = "there is no late duplicate with this transactionId";
    settle(ID).is(1).reports(unknown);
    let database = SqliteConnectOptions::new().filename(&path);
    let mut database = database.connect().await.unwrap();
    database.execute(INSERT).await.unwrap();

    let line = format!("invoice INV-7, 25.00 usdtt paid in trx, transactionId {ID}");
    let listed =
        format!("Unresolved: {line}: a second payment was created, and it is not cancelled");
    world.run(&["list"]).is(0).reports(&listed);
    settle("other").is(1).reports(unknown);
    let done = settle(ID);
    let settled = format!("Settled: {line}, created late at 2026-10-14T");
    assert!(done.is(0).out.starts_with(&settled), "{}", done.out);
    assert!(!world.run(&["list"]).is(0).err.contains("Unresolved"));
    settle(ID).is(1).reports(unknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn settling_waits_for_the_lease_of_a_killed_instance() {
    let world = World::with(&["--database-url", "sqlite:tender.db"]).await;
    let path = world.proxy.directory().join("tender.db");
    let database = SqliteConnectOptions::new().filename(&path);
    let mut database = database.connect().await.unwrap();
    database.execute(INSERT).await.unwrap();
    let held = "UPDATE attempts SET fence = 1, lease_until = 9000000000000";
    database.execute(held).await.unwrap();
    let url = format!("--database-url=sqlite:{}", path.display());
    let settings = [
        "--allow-unsigned-orders",
        &url,
        "--upstream-timeout-seconds=1",
    ];
    let settle = ["ledger", "settle", ID];
    let done = Done::of(with_sandbox(&world.sandbox, &settings).args(settle));
    assert!(done.is(0).out.starts_with("Settled: "), "{}", done.out);
}
