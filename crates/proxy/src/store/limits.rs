//! How long rows are kept, and how many are read or deleted at once.

use std::time::Duration;

/// How long a payment is stored: as long as a receipt allows a buyer to ask for it.
pub(crate) const RETENTION: Duration = Duration::from_hours(30 * 24);

/// Pause between two batches that are pruned, during which waiting requests can use the database.
pub(crate) const PAUSE: Duration = Duration::from_millis(200);

/// Maximum number of changes that are read, or of rows that are pruned, at once: small enough that no request waits long
/// for the lock.
pub(crate) const BATCH: i64 = 500;
