//! `tender-proxy notifications list`.

use std::num::NonZeroUsize;

use tender_protocol::{Deliveries, Delivery, DeliveryState};

use crate::client::Client;
use crate::failure::Failure;
use crate::print::{self, optional};
use crate::table::{Table, WhenNarrow};

const STATES: [DeliveryState; 4] = [
    DeliveryState::Waiting,
    DeliveryState::SetAside,
    DeliveryState::Delivered,
    DeliveryState::GivenUp,
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Show only notifications of this payment
    #[arg(long, value_name = "TRANSACTION_ID")]
    payment: Option<String>,
    /// Show only notifications in this state
    #[arg(long, value_name = "STATE", value_parser = STATES.map(DeliveryState::as_str))]
    state: Option<String>,
    /// Maximum number of notifications to show
    #[arg(long, value_name = "NUMBER", default_value = "100")]
    limit: NonZeroUsize,
}

pub(super) async fn run(client: &Client, arguments: &Arguments, json: bool) -> Result<(), Failure> {
    let (found, more) = arguments.read(client).await?;
    if json {
        return print::json(&found);
    }
    if found.is_empty() {
        print::note("No notifications.");
        return Ok(());
    }
    print::table(table(&found))?;
    if more {
        print::note("There are older ones; --limit shows more.");
    }
    Ok(())
}

impl Arguments {
    /// The newest notifications, and whether there are more.
    async fn read(&self, client: &Client) -> Result<(Vec<Delivery>, bool), Failure> {
        let mut found = Vec::<Delivery>::new();
        loop {
            let mut query = Vec::new();
            if let Some(id) = &self.payment {
                query.push(("transactionId", id.as_str()));
            }
            if let Some(state) = &self.state {
                query.push(("state", state));
            }
            if let Some(last) = found.last() {
                query.push(("before", &last.id));
            }
            let Deliveries { deliveries, more } = client.deliveries(&query).await?;
            let is_last = deliveries.is_empty() || !more;
            found.extend(deliveries);
            if is_last || found.len() >= self.limit.get() {
                let cut = found.len() > self.limit.get();
                found.truncate(self.limit.get());
                return Ok((found, cut || !is_last));
            }
        }
    }
}

fn table(deliveries: &[Delivery]) -> Table {
    let columns = [
        ("writtenAt", false, WhenNarrow::Keep),
        ("type", false, WhenNarrow::Keep),
        ("state", false, WhenNarrow::Keep),
        ("tries", true, WhenNarrow::Hide(3)),
        ("answer", false, WhenNarrow::Truncate),
        ("answeredAt", false, WhenNarrow::Hide(1)),
        ("transactionId", false, WhenNarrow::Hide(2)),
        ("id", false, WhenNarrow::Keep),
    ];
    Table::new(&columns, deliveries.iter().map(row))
}

fn row(delivery: &Delivery) -> Vec<String> {
    vec![
        delivery.written_at.clone(),
        delivery.kind.clone(),
        delivery.state.as_str().to_owned(),
        delivery.tries.to_string(),
        optional(delivery.answer.as_ref()),
        optional(delivery.answered_at.as_ref()),
        delivery.transaction_id.clone(),
        delivery.id.clone(),
    ]
}
