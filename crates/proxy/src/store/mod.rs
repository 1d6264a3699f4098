//! What the proxy stores, in SQLite or PostgreSQL.

pub(crate) mod attempts;
pub(crate) mod copy;
pub(crate) mod database;
pub(crate) mod lease;
pub(crate) mod payments;
pub(crate) mod surplus;
