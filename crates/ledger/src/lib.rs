//! The rules of an order's payment: when it is created, shown, cancelled and replaced. In doubt, nothing is.
//!
//! Nothing here calls, stores or waits. The proxy loads the [`Stage`] of an attempt, asks [`decide`] what follows from a
//! piece of [`Evidence`], stores the new stage, and carries out the [`Action`], whose result is the next evidence.

mod decide;
mod evidence;
mod fate;
mod identity;
mod latest;
mod recognition;
mod response;
mod search;
mod stage;
mod status;

pub use self::decide::{Decision, decide};
pub use self::evidence::{
    Action, Answer, Cancelled, Created, Evidence, Found, Listed, Origin, Refusal,
};
pub use self::fate::{Facts, OrderMoney, PaymentFate};
pub use self::identity::{MAX_ID_LENGTH, fold, is_valid_id, listed_forms};
pub use self::latest::{Latest, latest};
pub use self::recognition::contradiction;
pub use self::response::{cancelled, proves_refusal, sighting};
pub use self::search::{Owner, Search, is_dated_before};
pub use self::stage::{Asked, Goal, OrderFacts, Requester, Stage};
pub use self::status::{
    Mapping, Meaning, has_status, is_cancelled, is_created, is_same_status, status, transaction_id,
};
