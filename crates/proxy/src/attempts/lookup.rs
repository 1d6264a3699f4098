//! Looking for a payment that may have been created, in the service's list.

use tender_protocol::{PAGE_SIZE, Payment, Record, Status, TokenCode};

use super::Payments;
use super::ledger::{Created, Ticket};
use crate::purchase::Purchase;
use crate::service::ServiceError;

/// The list holds the last payments first: this many pages hold what was created while a buyer
/// waited to repeat.
const PAGES: u32 = 5;

impl Payments {
    /// The payment of an attempt whose answer was lost, where the service has it.
    pub(super) async fn look_up(
        &self,
        ticket: &Ticket,
        purchase: &Purchase,
    ) -> Result<Option<Created>, ServiceError> {
        for page in 0..PAGES {
            let records = match self.service.records(page).await {
                // What the service says to a page past the end is not documented.
                Err(ServiceError::Refused(_)) if page > 0 => break,
                answer => answer?,
            };
            let last = records.len() < PAGE_SIZE;
            for record in records {
                let Some(transaction_id) = is_of(purchase, &record) else {
                    continue;
                };
                if self.ledger.claim(ticket, &transaction_id).await {
                    return Ok(Some(Created {
                        transaction_id,
                        record,
                    }));
                }
            }
            if last {
                break;
            }
        }
        Ok(None)
    }
}

/// The transaction of a record that is what `purchase` asks for, and still to be paid.
///
/// A code that the service shows as a ticker (`USDT`) is not taken for the code that was asked for
/// (`usdtt`): on the wrong network the money would be lost, while a payment that is created twice
/// is paid once.
fn is_of(purchase: &Purchase, record: &Record) -> Option<String> {
    let Purchase {
        payment: asked,
        signed,
    } = purchase;
    let found = Payment::try_from(record).ok()?;
    let same_payment = found.status == Status::Created
        && found.invoice_number.as_deref() == Some(&asked.invoice_number)
        && found.quantity == asked.quantity
        && TokenCode::from(found.token) == asked.token
        && TokenCode::from(found.payment_token) == asked.payment_token;
    // An invoice number that no shop signed may be shared by buyers.
    let same_buyer = *signed
        || (found.purchase_email == asked.purchase_email
            && found.purchase_name == asked.purchase_name);
    (same_payment && same_buyer).then_some(found.transaction_id)
}
