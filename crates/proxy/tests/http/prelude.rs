//! What most tests use.

pub(crate) use std::time::Duration;

pub(crate) use axum::http::StatusCode;
pub(crate) use reqwest::Method;
pub(crate) use serde_json::{Value, json};
pub(crate) use tender_protocol::sent::Mark;
pub(crate) use tender_protocol::{ProblemCode, path};
pub(crate) use tender_proxy::{Config, Secret};
pub(crate) use tender_sandbox::{Endpoint, Fault, Gate, Outcome};

pub(crate) use crate::followed::{
    Followed, SEVERAL_CYCLES, fast_polling, mapped, mapped_and_polled,
};
pub(crate) use crate::listener::Listener;
pub(crate) use crate::shop::Shop;
pub(crate) use crate::support::{
    Answer, MERCHANT_KEY, ORDER_SECRET, WEBHOOK_SECRET, World, order, page, paying, paying_in,
    plain, responds, sign, until,
};
