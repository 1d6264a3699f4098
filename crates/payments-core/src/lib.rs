//! The merchant's view of payments as pure data. No DOM, no network, no clock: time and answers
//! come in as events, and what should happen goes out as effects.
//!
//! ```text
//! attributes -> Config
//! (State, Event) -> step -> (State, effects)
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`book`] | [`Book`]: the payments that were read, each once, out of pages that move |
//! | [`filter`] | [`Filter`]: search and filter over what was read |
//! | [`csv`] | the payments as a table for other programs |
//! | [`days`](mod@days) | sums a day, by status |
//! | [`stream`] | server-sent events, read from text |
//! | [`config`], [`key`] | what the element's attributes say; the merchant key |
//! | [`state`] | [`State`]: the one state of the element |
//! | [`event`], [`effect`] | what comes in and what goes out |
//! | [`step`](mod@step) | the transition function |
//! | [`text`] | what is said |

pub mod book;
pub mod config;
pub mod csv;
pub mod days;
pub mod effect;
pub mod event;
pub mod filter;
pub mod key;
pub mod state;
pub mod step;
pub mod stream;
pub mod text;

pub use book::{Book, Merged, Page, Place};
pub use config::{Config, ConfigError};
pub use days::{Day, Sum, days};
pub use effect::{Ask, Effect, HostEvent, Purpose};
pub use event::Event;
pub use filter::Filter;
pub use key::Key;
pub use state::{
    Batch, Cancelling, Desk, Entry, Goal, Head, Knowledge, Known, Live, Older, Outcome, Run, Seen,
    State, Verdict,
};
pub use step::step;
