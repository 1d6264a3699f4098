//! The checkout's logic as pure data: no DOM, no network, no clock. Inputs (a click, a response, a
//! timer) are events. Outputs (a request, a timer, a host event) are effects, which the driver
//! executes.
//!
//! ```text
//! attributes -> Config
//! (State, Event) -> step -> (State, effects)
//! ```

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
pub use effect::{Effect, HostEvent, PaymentReceipt, WalletTransfer};
pub use event::{Edit, Event, FormEvent, PaymentEvent, SentEvent, StatusEvent};
pub use form::{Form, FormProblem};
pub use found::FoundPayment;
pub use order::Order;
pub use payment_uri::PaymentCodes;
pub use qr::QrCode;
pub use response::{Created, FetchResult, HttpResponse, TransportError};
pub use state::{
    Access, Attempt, AttemptKey, Cancelling, CheckoutPayment, Choosing, Context, Facts, Following,
    LatestRecord, LookUp, MarkSecret, PaymentProgress, Phase, Polling, PriorAttempt, Reads, Reason,
    SentMark, State, Stream, SubmitStep,
};
pub use status_record::StatusRecord;
pub use step::step;
pub use tender_protocol::client::{Failure, FailureCode, failure};
pub use transfer::{EvmCall, EvmTransaction, EvmTransfer, Transfer, TronTransfer};
pub use wallet::{
    Preparation, Receipt, Shortfall, WalletAnswer, WalletAttempt, WalletFailure, WalletId,
    WalletPayment, WalletQuestion, WalletRequest, WalletStep, WalletTransaction, Watch,
};
