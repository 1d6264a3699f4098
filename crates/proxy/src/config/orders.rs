//! Settings of orders.

use clap::{ArgAction, Args};
use tender_protocol::Status;

use super::{ConfigError, OrderKey};

/// Orders, and what their payments' statuses mean.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Orders")]
pub struct Orders {
    /// Let pages set their own price, for donations and demos
    #[arg(long, id = "allow_unsigned_orders", value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub allow_unsigned: bool,

    /// HS256 secret that verifies orders, or `KID=SECRET`. A file may instead contain one Ed25519
    /// public key in PEM, and `KID=PATH` gives the keys of a file a `kid`
    #[arg(long, id = "order_key", value_name = "SECRET", hide_env_values = true)]
    pub keys: Vec<OrderKey>,

    /// `statusId` or `statusText`, exactly as the service sends it, of a status that means that a
    /// payment is paid
    #[arg(long, id = "status_paid", value_name = "STATUS", value_parser = not_created)]
    pub status_paid: Vec<String>,

    /// `statusId` or `statusText`, exactly as the service sends it, of a status that closes a payment,
    /// so that its order can be paid again. A status named "Cancelled" always does
    #[arg(long, id = "status_closed", value_name = "STATUS", value_parser = not_created)]
    pub status_closed: Vec<String>,
}

impl Orders {
    /// Fails if a status is mapped twice.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let mut paid = self.status_paid.iter();
        let shared = paid.find(|status| self.status_closed.contains(status));
        shared.map_or(Ok(()), |status| {
            Err(ConfigError::SharedStatus(status.clone()))
        })
    }
}

fn not_created(text: &str) -> Result<String, String> {
    if [Status::Created.id(), Status::Created.text()].contains(&text) {
        return Err(format!(
            "{text:?} is the status of a new payment; write another one"
        ));
    }
    Ok(text.to_owned())
}
