//! The checkout as pure data. No DOM, no network, no clock: time, ids and answers come in as
//! events, and what should happen goes out as effects.
//!
//! ```text
//! attributes -> Config
//! (State, Event) -> step -> (State, effects)
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`config`] | [`Config`]: what the element's attributes say |
//! | [`order`] | [`Order`]: what is being paid for, signed or plain |
//! | [`choice`] | [`Choice`]: the tokens to offer, out of a listing of any size |
//! | [`form`] | [`Form`]: what the buyer has chosen and typed, and what is missing |
//! | [`state`] | [`State`]: the one state of a checkout |
//! | [`event`], [`effect`] | what comes in and what goes out |
//! | [`step`](mod@step) | the transition function |
//! | [`answer`] | answers of the proxy, read into records or a [`Failure`] |
//! | [`failure`] | the closed set of what can go wrong |
//! | [`rail`] | what is known about each token and its network: decimals, chain, contract, transaction hashes |
//! | [`send`] | the exact amount to send |
//! | [`address`] | wallets that are an address of their network |
//! | [`payment_uri`], [`qr`] | what a wallet reads: address or URI, and its code |
//! | [`transfer`] | what a wallet in the browser is asked to send |
//! | [`wallet`] | where paying from such a wallet stands |
//! | [`memory`] | what a tab remembers, so that a reload goes on with the same payment |
//! | [`link`] | addresses that may be linked to; explorer links |

pub mod address;
pub mod answer;
pub mod asset;
pub mod choice;
pub mod config;
pub mod effect;
pub mod event;
pub mod form;
mod hidden;
pub mod link;
pub mod memory;
pub mod order;
pub mod payment_uri;
pub mod qr;
mod record_check;
pub mod send;
pub mod state;
pub mod step;
pub mod transfer;
pub mod wallet;

pub use address::Address;
pub use answer::{Created, FetchResult, HttpResponse, TransportError};
pub use choice::Choice;
pub use config::{Ask, Config, ConfigError, Theme};
pub use effect::{Effect, HostEvent};
pub use event::Event;
pub use form::{Form, FormProblem};
pub use order::Order;
pub use payment_uri::PaymentCodes;
pub use qr::QrCode;
pub use state::{
    Attempt, AttemptKey, Awaiting, Cancelling, Choosing, Draft, PaymentProgress, Polling,
    PriorAttempt, State, Stream,
};
pub use step::step;
pub use tender_client::{Failure, FailureCode, failure};
pub use transfer::{EvmTransaction, EvmTransfer, Transfer, TronTransfer};
pub use wallet::{WalletFailure, WalletId, WalletPayment, WalletRequest};
