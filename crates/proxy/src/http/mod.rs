//! The HTTP interface of the proxy.

mod app;
pub(crate) mod assets;
mod audit;
pub(crate) mod client_ip;
pub(crate) mod connections;
pub(crate) mod credentials;
mod extractors;
pub(crate) mod idempotency_key;
pub(crate) mod limits;
mod openapi;
mod origins;
mod problems;
mod request_log;
pub(crate) mod routes;
mod unread_body;

pub(crate) use self::app::App;
use self::audit::Audit;
use self::client_ip::ClientIp;
use self::credentials::{Caller, Merchant};
use self::extractors::{Body, JsonBody, MAX_BODY, PaymentId, Query, RawJson};
use self::limits::CreatePermit;
use self::openapi::{BUYER, MERCHANT, OPERATOR, PAGE, SERVICE};
