//! How the status of a payment is followed.

use super::reads::Reads;

/// The requests for the status of a payment, and the proxy's stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Following {
    /// The status requests.
    pub polling: Polling,
    /// How they went.
    pub reads: Reads,
    /// The proxy's stream of status events.
    pub stream: Stream,
}

/// The requests for the status of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// Waiting for the next poll, if there is a receipt, after this many polls without a change.
    Waiting(u32),
    /// A request is under way, after this many polls without a change.
    Requesting(u32),
}

/// The proxy's stream of status events (server-sent events).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stream {
    /// The proxy has no such stream. It is requested again later, because a restarting proxy may
    /// respond the same way for a moment.
    Refused,
    /// The next poll opens it, if there is a receipt.
    #[default]
    Closed,
    /// Requested. Polling continues at the usual intervals until an event arrives, because an
    /// intermediary may buffer the events.
    Opening,
    /// An event has arrived, so polls are rare.
    Open,
}

impl Default for Polling {
    fn default() -> Self {
        Self::Waiting(0)
    }
}

impl Stream {
    /// Whether it is open, or requested.
    pub const fn is_used(self) -> bool {
        matches!(self, Self::Opening | Self::Open)
    }
}
