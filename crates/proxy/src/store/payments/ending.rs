//! How payments have ended: what the poller has read in the service's list, and what the proxy itself
//! did. The service may list a payment that the proxy has cancelled as "Created" forever.

use tender_protocol::event;

use super::{Change, statements};
use crate::clock::Clock;
use crate::store::database::{Error, Result, Session, query};

/// How a payment has ended, in ascending order of certainty: money may arrive for a closed payment,
/// and a paid one stays paid. The column `ending` has these names in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// No money should be sent any more.
    Closed,
    Paid,
}

impl Ending {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Paid => "paid",
        }
    }

    pub(super) fn parse(text: Option<&str>) -> Result<Option<Self>> {
        Ok(match text {
            None => None,
            Some("closed") => Some(Self::Closed),
            Some("paid") => Some(Self::Paid),
            Some(other) => {
                return Err(Error::Unreadable(format!("unknown ending {other}")));
            }
        })
    }
}

/// Stores that the proxy has closed a payment, or that it can be paid after all, as an event for the
/// payment's streams. A paid payment is not changed.
pub(crate) async fn set_closed(
    session: &mut Session<'_>,
    clock: Clock,
    transaction_id: &str,
    is_closed: bool,
) -> Result<()> {
    let ending = is_closed.then_some(Ending::Closed);
    if to_change(session, transaction_id, ending).await?.is_none() {
        return Ok(());
    }
    let id = reserve_id(session).await?;
    // Read again, because events are in the order of their ids only from here on.
    if let Some(latest) = to_change(session, transaction_id, ending).await? {
        insert_event(session, clock, id, transaction_id, &latest.record).await?;
        let ending = ending.map(Ending::as_str);
        let update = query!(
            statements::SET_ENDING,
            transaction_id.to_owned(),
            id,
            ending
        );
        session.execute(update).await?;
    }
    Ok(())
}

/// Stores a record of the list, as an event for the payment's streams, unless it is known already.
pub(crate) async fn set_record(
    session: &mut Session<'_>,
    clock: Clock,
    transaction_id: &str,
    record: &str,
    ending: Option<Ending>,
) -> Result<()> {
    let latest = super::latest(session, transaction_id).await?;
    if latest.is_none_or(|latest| latest.record == record) {
        return Ok(());
    }
    let id = reserve_id(session).await?;
    let update = query!(
        statements::UPDATE_PAYMENT,
        transaction_id.to_owned(),
        id,
        record.to_owned(),
        ending.map(Ending::as_str),
    );
    session.execute(update).await?;
    insert_event(session, clock, id, transaction_id, record).await
}

async fn reserve_id(session: &mut Session<'_>) -> Result<i64> {
    let id = session
        .row::<(i64,)>(query!(statements::RESERVE_ID))
        .await?;
    let (id,) = id.ok_or_else(|| Error::unreadable("the row of `polling` is missing"))?;
    Ok(id)
}

async fn insert_event(
    session: &mut Session<'_>,
    clock: Clock,
    id: i64,
    transaction_id: &str,
    record: &str,
) -> Result<()> {
    let insert = query!(
        statements::INSERT_EVENT,
        id,
        transaction_id.to_owned(),
        record.to_owned(),
        clock.now,
        event::STATUS,
    );
    session.execute(insert).await.map(drop)
}

/// The payment, unless it has this ending or is paid.
async fn to_change(
    session: &mut Session<'_>,
    transaction_id: &str,
    ending: Option<Ending>,
) -> Result<Option<Change>> {
    let latest = super::latest(session, transaction_id).await?;
    Ok(latest.filter(|latest| latest.ending != ending && latest.ending != Some(Ending::Paid)))
}
