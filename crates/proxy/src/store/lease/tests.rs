//! Tests of the rules of leases, on each database.

use super::*;
use crate::config;
use crate::store::database::{Database, query};
use crate::store::testing::on_each_database;

const CALL: Duration = Duration::from_millis(800);

const FIND: &str = "SELECT fence, lease_until FROM polling";
const CLAIM: &str = claim_lease!("polling", "requested = 0", "AND failures = $4");
const WRITE: &str = "UPDATE polling SET lease_until = $2 WHERE fence = $1";

on_each_database! {
    only_the_latest_lease_writes
    a_claim_fails_after_a_renewal
}

/// The row of a table with a lease.
struct Leased(Database);

impl Leased {
    async fn open(config: config::Database) -> Self {
        Self(Database::open(&config).await.unwrap())
    }

    async fn clock(&self) -> Clock {
        self.0.clock().await.unwrap()
    }

    async fn stored(&self) -> StoredLease {
        self.0.row(query!(FIND)).await.unwrap().unwrap()
    }

    async fn claim_as(&self, stored: StoredLease, clock: Clock, failures: i64) -> Option<Lease> {
        let mut session = self.0.begin().await.unwrap();
        let failures = failures.into();
        let claimed = stored.claim(&mut session, clock, CALL, CLAIM, [failures]);
        let claimed = claimed.await.unwrap();
        session.commit().await.unwrap();
        claimed
    }

    /// Claims the lease as it is stored, when the database's clock shows this.
    async fn claim(&self, clock: Clock) -> Option<Lease> {
        self.claim_as(self.stored().await, clock, 0).await
    }

    /// Writes a new end.
    async fn write(&self, lease: Lease, until: Millis) -> Result<()> {
        let mut session = self.0.begin().await?;
        lease.write(&mut session, WRITE, [until.into()]).await?;
        session.commit().await
    }
}

fn later(clock: Clock, by: Duration) -> Clock {
    let now = clock.after(by);
    Clock { now, ..clock }
}

async fn only_the_latest_lease_writes(config: config::Database) {
    let row = Leased::open(config).await;
    let clock = row.clock().await;
    // Its further condition does not hold.
    assert!(row.claim_as(row.stored().await, clock, 1).await.is_none());
    let lease = row.claim(clock).await.unwrap();
    assert_eq!(row.stored().await, lease.stored());
    assert_eq!(row.stored().await.ends_in(clock, CALL), length(CALL));
    // An instance may have another timeout, and a clock may have been set back.
    let hour = Duration::from_hours(1);
    assert_eq!(
        lease.stored().ends_in(later(clock, hour), CALL),
        Duration::ZERO
    );
    let stored = Lease::first(clock, hour).stored();
    assert_eq!(stored.ends_in(clock, hour), length(hour));
    assert_eq!(stored.ends_in(clock, CALL), Duration::ZERO);
    // After its end, it can still write until there is a later one.
    row.write(lease, lease.until()).await.unwrap();
    let next = row.claim(later(clock, length(CALL))).await.unwrap();
    assert_eq!(next.fence, lease.fence + 1);
    let lost = row.write(lease, 0).await;
    assert!(matches!(lost, Err(Error::LeaseLost)));
    assert_eq!(row.stored().await, next.stored());
    // A released lease can be claimed at once.
    row.write(next, 0).await.unwrap();
    assert!(row.stored().await.is_released(next.fence));
    assert!(row.claim(clock).await.is_some());
}

async fn a_claim_fails_after_a_renewal(config: config::Database) {
    let row = Leased::open(config).await;
    let clock = row.clock().await;
    let lease = row.claim(clock).await.unwrap();
    let (seen, ended) = (row.stored().await, later(clock, length(CALL)));
    let renewed = lease.renewed(ended);
    row.write(lease, renewed.until()).await.unwrap();
    assert!(row.claim_as(seen, ended, 0).await.is_none());
}

#[test]
fn a_lease_is_renewed_after_a_quarter_of_a_call() {
    let now = Clock {
        now: 0,
        lag: 0,
        read_at: Instant::now(),
        wall: crate::clock::wall(),
    };
    let call = Duration::from_mins(1);
    let granted = |ago: u64| {
        let ago = Duration::from_secs(ago);
        let lease = Lease::first(now, call);
        let read_at = now.read_at.checked_sub(ago).unwrap();
        // The monotonic clock may stand still while the machine is suspended.
        let suspended = Clock {
            wall: now.wall - ago,
            ..now
        };
        [Clock { read_at, ..now }, suspended].map(|granted| lease.renewed(granted).needs_renewal())
    };
    assert_eq!(granted(10), [false, false]);
    assert_eq!(granted(16), [true, true]);
}
