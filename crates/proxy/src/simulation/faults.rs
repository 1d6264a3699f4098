//! The faults of the proxy that are known and not mended yet. What triggers one is left out of the random scripts, so that
//! they find others. When it is mended, delete its line.

use std::cell::Cell;

/// What a service, a clock or a shop may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// The list has a payment before the answer to the request that creates it has arrived, or the poller reads it there,
    /// because a dashboard is open, before a search does.
    ListedBeforeAnswer,
    /// The list has a payment with the wallet or the invoice number of another one.
    RecordContradicts,
    /// The list has a payment with another amount to pay than its creation.
    QuoteMoves,
    /// The machine's clock is hours ahead, or is set back.
    ClockIsWrong,
    /// The shop asks for the payments of an order while one is being created.
    AskedWhileCreating,
    /// A link is opened while it is not known whether the order has another payment.
    OpenedInDoubt,
}

pub(super) const KNOWN: &[Behaviour] = &[Behaviour::AskedWhileCreating, Behaviour::OpenedInDoubt];

thread_local! {
    static SOUGHT: Cell<Option<Behaviour>> = const { Cell::new(None) };
}

/// Whether a behaviour is left out of the random scripts of this thread.
pub(super) fn is_off(behaviour: Behaviour) -> bool {
    KNOWN.contains(&behaviour) && SOUGHT.get() != Some(behaviour)
}

/// Random scripts of this thread have this behaviour from now on, also if it is left out otherwise.
pub(super) fn seek(behaviour: Option<Behaviour>) {
    SOUGHT.set(behaviour);
}
