//! The rules of an order's payment: when it is created, shown, cancelled and replaced. In doubt, nothing is.
//!
//! Nothing here calls, stores or waits. The proxy loads the [`Stage`] of an attempt, asks [`decide`] what follows from a
//! piece of [`Evidence`], stores the new stage, and carries out the [`Action`], whose result is the next evidence.
//!
//! | file | contents |
//! |---|---|
//! | `stage` | what is known of an attempt, and what it is worked on for |
//! | `evidence` | what arrives, and what is to be done |
//! | `decide` | the table of stages |
//! | `search` | whether pages of the service's list hold the payment of a request |
//! | `recognition` | what a record must show to be the payment of a request |
//! | `latest` | what a record must show to be a newer one of a known payment |
//! | `status` | what a status means |
//! | `fate` | what is stored of a payment beside its record |
//! | `response` | what a response to create or cancel proves, and what the list says about a known payment |
//! | `identity` | when two values may be the same in another form |

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
pub use self::identity::{MAX_ID_LENGTH, fold, is_valid_id};
pub use self::latest::{Latest, latest};
pub use self::recognition::contradiction;
pub use self::response::{cancelled, proves_refusal, sighting};
pub use self::search::{Owner, Search, is_dated_before};
pub use self::stage::{Asked, Goal, OrderFacts, Requester, Stage};
pub use self::status::{
    Mapping, Meaning, has_status, is_cancelled, is_created, is_same_status, status, transaction_id,
};
