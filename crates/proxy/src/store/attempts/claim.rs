//! Whose payment a payment of the service is. An attempt gets no payment that another one has or had,
//! and none that was closed.

use super::statements;
use crate::store::database::{Result, Session, query};
use crate::store::payments::{self, Ending};

/// What this proxy knows about a payment, seen from an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// No other attempt has or had it, and it is open as far as this proxy knows.
    Free,
    /// No other attempt has or had it, but it is paid.
    Paid,
    /// Another attempt has or had it, or it was closed.
    Taken,
}

pub(super) async fn of(
    session: &mut Session<'_>,
    transaction_id: &str,
    attempt: &str,
) -> Result<Claim> {
    for owners in [statements::OTHER_OWNERS, statements::PAST_OWNERS] {
        let owners = query!(owners, transaction_id, attempt);
        if session.number(owners).await? > 0 {
            return Ok(Claim::Taken);
        }
    }
    let latest = payments::latest(session, transaction_id).await?;
    Ok(match latest.and_then(|latest| latest.ending) {
        None => Claim::Free,
        Some(Ending::Paid) => Claim::Paid,
        Some(Ending::Closed) => Claim::Taken,
    })
}
