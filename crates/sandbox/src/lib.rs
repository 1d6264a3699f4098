//! The payment service as documented, with state, for demos and tests.
//!
//! A [`Sandbox`] is the whole service on two addresses, one for payments and one for rates. It
//! follows the service's document. Where the document says "not shown" the sandbox makes a choice,
//! and [`choices`] lists all of them.
//!
//! No money moves. Wallets are valid addresses without known keys: **money sent to them is lost**.
//!
//! ```no_run
//! # async fn demo() -> Result<(), Box<dyn std::error::Error>> {
//! use tender_sandbox::{Config, Endpoint, Fault, Outcome, Sandbox};
//!
//! let sandbox = Sandbox::start(Config::on_free_ports()).await?;
//! // Point the program under test at sandbox.base_url() and sandbox.rates_base_url(), then:
//! sandbox.controls().inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
//! # Ok(())
//! # }
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `config` | [`Config`]: command-line flags, or fields in a test |
//! | `server` | [`Sandbox`]: starts and stops the two servers |
//! | `service` | the four endpoints, one file each, and the middleware around them |
//! | [`controls`] | [`Controls`]: methods and routes with which tests and demos change the sandbox |
//! | [`fault`] | [`Fault`]: faults between the service and its caller |
//! | [`state`] | [`State`]: the state of the sandbox |
//! | `catalogue`, `logo` | the tokens of the demo project, their prices and images |
//! | `price` | exact conversion |
//! | `wallet` | addresses without an owner |
//! | `webhook` | the notification of a new payment |
//! | `body`, `refusal` | parsing of requests, and [`Refusal`]: error responses |

mod body;
mod catalogue;
pub mod choices;
mod config;
pub mod controls;
pub mod fault;
mod logo;
mod price;
mod refusal;
mod server;
mod service;
pub mod state;
mod wallet;
mod webhook;

pub use config::{Config, RequiredHeader};
pub use controls::Controls;
pub use fault::{CannedAnswer, Endpoint, Fault, Gate, Outcome};
pub use refusal::Refusal;
pub use reqwest::Url;
pub use server::{Sandbox, StartError};
pub use state::{Entry, Notification, Requests, State};
