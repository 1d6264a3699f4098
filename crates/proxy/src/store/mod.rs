//! What the proxy stores, in SQLite or PostgreSQL.

pub(crate) mod attempts;
pub(crate) mod database;
pub(crate) mod lease;
mod limits;
pub(crate) mod outbox;
pub(crate) mod payments;
mod random;
#[cfg(test)]
mod testing;
