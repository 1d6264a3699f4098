//! Every attempt to pay, in a database that all instances share.
//!
//! [`tender_ledger`] has the stages and decides how they follow each other. A lease ([`crate::store::lease`]) gives one
//! request at a time the right to work on an attempt. A unique index allows at most one open attempt per order.

mod attempt;
mod begin;
mod decide;
mod find;
mod late;
mod marks;
mod merchant;
mod observed;
mod prune;
mod statements;
mod stored;

use std::time::Duration;

pub(crate) use self::attempt::{IdempotencyKey, NewAttempt, Order, listed_id};
pub(crate) use self::begin::{Begun, Held};
pub(crate) use self::decide::News;
pub(crate) use self::marks::{MarkDigest, Marked};
pub(crate) use self::observed::Observed;
pub(crate) use self::stored::StoredAttempt;
use crate::clock::DAY;

/// How long an attempt is kept that left no payment.
const REFUSED_RETENTION: Duration = DAY;

#[cfg(test)]
mod tests;
