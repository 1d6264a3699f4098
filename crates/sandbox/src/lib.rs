//! The payment service as documented, stateful, for demos and tests.
//!
//! A [`Sandbox`] is the whole service on two addresses, one for payments and one for rates, as the
//! service's document has them. It keeps to that document; where the document says "not shown" the
//! sandbox had to choose, and [`choices`] lists every such choice.
//!
//! No money moves. Wallets are valid addresses that nobody holds keys to: **what is sent to them
//! is lost**.
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
//! | module | what it holds |
//! |---|---|
//! | `config` | [`Config`]: flags of the binary, fields for a test |
//! | `server` | [`Sandbox`]: starts and stops the two servers |
//! | `service` | the four endpoints, one file each, and what surrounds every call |
//! | [`controls`] | [`Controls`]: what a test or a demo does to the sandbox, as methods and as routes |
//! | [`fault`] | [`Fault`]: what can go wrong between the service and its caller |
//! | [`state`] | [`State`]: all that the sandbox remembers |
//! | `catalogue`, `logo` | the tokens of the demo project, their prices and their images |
//! | `price` | exact conversion |
//! | `wallet` | addresses that nobody owns |
//! | `webhook` | the notification of a new payment |
//! | `hang_up` | closes a connection without an answer |
//! | `body`, `refusal` | how requests are read, and [`Refusal`]: how the sandbox says no |

mod body;
mod catalogue;
pub mod choices;
mod config;
pub mod controls;
pub mod fault;
mod hang_up;
mod logo;
mod price;
mod refusal;
mod server;
mod service;
pub mod state;
mod wallet;
mod webhook;

pub use config::{Config, HeaderError, RequiredHeader};
pub use controls::Controls;
pub use fault::{CannedAnswer, Endpoint, Fault, Outcome};
pub use refusal::Refusal;
pub use reqwest::Url;
pub use server::{Sandbox, StartError};
pub use state::{Entry, Notification, Requests, State};
