//! The checkout's logic as pure data: no DOM, no network, no clock. Inputs (a click, a response, a
//! timer) are events. Outputs (a request, a timer, a host event) are effects, which the driver
//! executes.
//!
//! ```text
//! attributes -> Config
//! (State, Event) -> step -> (State, effects)
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`config`] | [`Config`]: the element's attributes, read and checked |
//! | [`order`] | [`Order`]: the order, signed or plain, and the request for it |
//! | [`choice`] | [`Choice`]: a token that is offered |
//! | [`form`] | [`Form`]: what the buyer has chosen and typed, and its validation |
//! | [`state`] | [`State`]: the state of a checkout |
//! | [`event`], [`effect`] | [`Event`], [`Effect`]: input and output of the transition function |
//! | [`step`](mod@step) | the transition function |
//! | [`found`] | [`FoundPayment`]: the payment of a signed order, as the proxy finds it |
//! | [`response`] | the proxy's responses, read into records or a [`Failure`] |
//! | [`status_record`] | [`StatusRecord`]: what a later record says about a payment |
//! | [`failure`] | [`Failure`] and its error codes |
//! | [`asset`] | [`AssetInfo`](asset::AssetInfo): decimals, network, contract and hash format of each token |
//! | [`send`] | [`AmountToSend`](send::AmountToSend): the exact amount to send |
//! | [`address`] | [`Address`]: addresses of each network, checksum included |
//! | [`payment_uri`], [`qr`] | payment URIs and QR codes for wallet apps |
//! | [`transfer`] | [`Transfer`]: the request to a wallet in the browser |
//! | [`wallet`] | [`WalletPayment`]: the progress of such a request |
//! | [`wallet_apps`] | `WalletApp`: a wallet on a phone, and the link that opens a page in it |
//! | [`saved`] | what is saved for a reload |
//! | [`link`] | logo URLs and explorer links |

pub mod address;
pub mod asset;
pub mod choice;
pub mod config;
pub mod effect;
pub mod event;
pub mod form;
pub mod found;
mod hidden;
pub mod link;
pub mod order;
pub mod payment_uri;
pub mod qr;
mod record_check;
pub mod response;
pub mod saved;
pub mod send;
pub mod state;
pub mod status_record;
pub mod step;
pub mod transfer;
pub mod wallet;
pub mod wallet_apps;

pub use address::Address;
pub use choice::Choice;
pub use config::{BuyerField, Config, ConfigError};
pub use effect::{Effect, HostEvent, Replaced};
pub use event::{Edit, Event, FormEvent, PaymentEvent, SentEvent, StatusEvent};
pub use form::{DecimalSeparator, Form, FormProblem};
pub use found::FoundPayment;
pub use order::Order;
pub use payment_uri::PaymentCodes;
pub use qr::QrCode;
pub use response::{Created, FetchResult, HttpResponse, TransportError};
pub use state::{
    Access, Attempt, AttemptKey, Cancelling, CheckoutPayment, Choosing, Draft, HashSource,
    LatestRecord, LookUp, PaymentProgress, Polling, PriorAttempt, SentMark, State, Stream,
    SubmitStep,
};
pub use status_record::StatusRecord;
pub use step::step;
pub use tender_protocol::client::{Failure, FailureCode, failure};
pub use transfer::{EvmCall, EvmTransaction, EvmTransfer, Transfer, TronTransfer};
pub use wallet::{Receipt, Shortfall, WalletFailure, WalletId, WalletPayment, WalletRequest};
