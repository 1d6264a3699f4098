//! What the program's commands do with the database and the keys of the settings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::pin::pin;

use futures_util::TryStreamExt as _;
use tender_ledger::{Evidence, Goal, Meaning, Stage, status};
use tender_protocol::Record;

use super::StartError;
use crate::checkout::signing::UnsignedOrder;
use crate::config::{self, Config, Secret};
use crate::error::Error;
use crate::statuses::Statuses;
use crate::store::attempts::{Begun, News, StoredAttempt};
use crate::store::{Store, database};

/// Opens the database for a command. Does not create one.
async fn existing_database(config: &Config) -> Result<Store, StartError> {
    let unusable = |reason| StartError::database(config, reason);
    match &config.store.database {
        config::Database::Memory => return Err(unusable("it is in the memory of the proxy")),
        config::Database::File(path) if !path.exists() => {
            return Err(unusable("the file does not exist"));
        }
        _ => {}
    }
    let store = Store::open(config).await;
    store.map_err(|error| StartError::database(config, error))
}

struct Seen {
    payments: u64,
    /// The transactionId of one of them.
    example: String,
    meaning: Meaning,
}

/// Lists each status of the stored payments with their number, an example and what it means, as a
/// table.
///
/// # Errors
/// The database can't be opened or read.
pub async fn seen_statuses(config: &Config) -> Result<String, StartError> {
    let store = existing_database(config).await?;
    let seen = read(&store, &Statuses::new(config)).await;
    Ok(table(
        &seen.map_err(|error| StartError::database(config, error))?,
    ))
}

async fn read(store: &Store, statuses: &Statuses) -> database::Result<BTreeMap<[String; 2], Seen>> {
    let mut seen = BTreeMap::<_, Seen>::new();
    let mut payments = pin!(store.all_payments());
    while let Some(batch) = payments.try_next().await? {
        for payment in batch {
            let Ok(record) = Record::parse(&payment.change.record, "a payment record") else {
                continue;
            };
            let found = seen.entry(status(&record)).or_insert_with(|| Seen {
                payments: 0,
                example: payment.transaction_id,
                meaning: statuses.meaning(&record),
            });
            found.payments += 1;
        }
    }
    Ok(seen)
}

fn word(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Created => "new",
        Meaning::Pending => "pending",
        Meaning::Underpaid => "underpaid",
        Meaning::Paid => "paid",
        Meaning::Closed => "closed",
        Meaning::NotMapped => "not mapped",
    }
}

/// The texts are the service's, so unprintable characters are escaped.
fn table(seen: &BTreeMap<[String; 2], Seen>) -> String {
    let mut table = "statusId\tstatusText\tpayments\tmeaning\texample\n".to_owned();
    for ([id, name], seen) in seen {
        let [id, name, example] = [id, name, &seen.example].map(|text| text.escape_debug());
        // Writing to a string can't fail.
        let _ = writeln!(
            table,
            "{id}\t{name}\t{}\t{}\t{example}",
            seen.payments,
            word(seen.meaning)
        );
    }
    table
}

/// Removes a late duplicate from the ledger, whatever its status, and describes it in one line; `None`
/// if it is not known. Nothing is sent to the payment service. The proxy may be running.
///
/// # Errors
/// The database can't be opened or read.
pub async fn settle_late_duplicate(
    config: &Config,
    transaction_id: &str,
) -> Result<Option<String>, StartError> {
    let store = existing_database(config).await?;
    let failed = |error| StartError::database(config, error);
    let late = store
        .attempt_of_payment(transaction_id)
        .await
        .map_err(failed)?;
    let is_due = |late: &StoredAttempt| {
        late.duplicate_of.is_some() && !matches!(late.stage, Stage::Ended(_))
    };
    if !late.as_ref().is_some_and(is_due) {
        return Ok(None);
    }
    let begun = store.begin_for_payment(transaction_id, Goal::Release);
    let Some(Begun::Held(mut held, goal)) = begun.await.map_err(failed)? else {
        return Ok(None);
    };
    let resumed = News::of(Evidence::Resumed);
    match store.decide(&mut held, &goal, &resumed).await {
        Ok(_) => Ok(Some(describe(&held.attempt, transaction_id))),
        Err(database::Error::LeaseLost) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

fn describe(late: &StoredAttempt, transaction_id: &str) -> String {
    let transaction_id = transaction_id.escape_debug();
    let since = late.since();
    let Some(request) = &late.request else {
        return format!("transactionId {transaction_id}, created late at {since}");
    };
    // Without a signed order, the buyer's page chooses the texts, so they are escaped.
    let invoice = request.invoice_number.escape_debug();
    let (token, payment_token) = (&request.token, &request.payment_token);
    let quantity = &request.quantity;
    format!(
        "invoice {invoice}, {quantity} {token} paid in {payment_token}, transactionId \
         {transaction_id}, created late at {since}"
    )
}

/// A signed order, and the address of its payment page or why there is none.
#[derive(Debug)]
pub struct OrderAndAddress {
    /// The order, a JWT.
    pub order: String,
    /// The address, or the setting that is missing.
    pub address: Result<String, &'static str>,
}

/// Why an order is not signed, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SignError(String);

/// Signs an order with the first secret of `order_key`, or with that of this `kid`.
///
/// # Errors
/// [`SignError`].
pub fn sign_order(
    config: &Config,
    kid: Option<&str>,
    order: &UnsignedOrder,
) -> Result<OrderAndAddress, SignError> {
    let (kid, secret) = key(config, kid)?;
    let order = order.sign(kid, secret).map_err(|error| {
        let reason = match error {
            Error::InvalidRequest(reason) => reason,
            other => other.to_string(),
        };
        SignError(format!("the order was not signed: {reason}"))
    })?;
    let address = config.server.payment_page_of(&order);
    Ok(OrderAndAddress { order, address })
}

fn key<'a>(
    config: &'a Config,
    kid: Option<&str>,
) -> Result<(Option<&'a str>, &'a Secret), SignError> {
    let keys = config.orders.keys.iter();
    let mut keys = keys.filter_map(|key| Some((key.kid(), key.secret.as_ref()?)));
    let found = match kid {
        None => keys.next(),
        Some(kid) => keys.find(|(own, _)| *own == Some(kid)),
    };
    found.ok_or_else(|| {
        let missing = match kid {
            None => "`order_key` has no secret to sign with".to_owned(),
            Some(kid) => format!("no secret in `order_key` has the kid `{kid}`"),
        };
        SignError(format!(
            "{missing}; a public key can verify orders but not sign them. Add a secret, which \
             `openssl rand -base64 32` generates"
        ))
    })
}
