//! The logic of `<tender-payments>` as pure data: no DOM, no network, no clock. Responses and timers
//! arrive as events; what has to be done is returned as effects.
//!
//! ```text
//! attributes -> Config
//! (State, Event) -> step -> (State, Vec<Effect>)
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`config`] | [`Config`]: the element's attributes |
//! | [`key`] | [`MerchantKey`] |
//! | [`list`] | [`PaymentList`]: the loaded payments of a list that grows while it is read |
//! | [`filter`] | [`Filter`]: search and filter over the loaded payments |
//! | [`sort`] | [`Sort`]: the order of the loaded payments |
//! | [`timeline`](mod@timeline) | what is known to have happened to a payment, and when |
//! | [`csv`] | CSV export |
//! | [`daily`] | sums per day and status |
//! | [`totals`](mod@totals) | sums of prices, by what the proxy says of the payments |
//! | [`state`] | [`State`]: the state of the element |
//! | [`event`], [`effect`] | the input and the output of [`step`](mod@step) |
//! | [`step`](mod@step) | the transition function |

pub mod config;
pub mod csv;
pub mod daily;
pub mod effect;
pub mod event;
pub mod filter;
pub mod key;
pub mod list;
pub mod sort;
pub mod state;
pub mod step;
pub mod timeline;
pub mod totals;

pub use config::{Config, ConfigError};
pub use daily::{Day, StatusSum, daily_sums};
pub use effect::{Effect, HostEvent, Purpose, Request};
pub use event::Event;
pub use filter::Filter;
pub use key::MerchantKey;
pub use list::{ListPage, Merged, PaymentList};
pub use sort::Sort;
pub use state::{
    Batch, CancelOutcome, Cancellation, Dashboard, DeliveryRequest, Goal, KeyPrompt,
    LatestDeliveries, LinkDialog, LinkInput, LinkProblem, ListedStatus, Newest, OlderLoad,
    OlderPages, OrderAction, OrderProgress, PaymentDetails, Refresh, RouteData, State, Updates,
    can_be_cancelled, link_days,
};
pub use step::step;
pub use timeline::{EntryKind, TimelineEntry, timeline};
pub use totals::{Total, TotalGroup, totals};
