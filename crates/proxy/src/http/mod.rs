//! The HTTP interface of the proxy.

pub(crate) mod app;
pub(crate) mod assets;
pub(crate) mod audit;
pub(crate) mod body;
pub(crate) mod client_ip;
pub(crate) mod connections;
pub(crate) mod credentials;
pub(crate) mod extractors;
pub(crate) mod idempotency_key;
pub(crate) mod keyed_semaphore;
pub(crate) mod limits;
pub(crate) mod openapi;
pub(crate) mod payment_id;
pub(crate) mod problems;
pub(crate) mod refused_origin;
pub(crate) mod request_log;
pub(crate) mod routes;
pub(crate) mod same_origin;
pub(crate) mod stream_limits;
