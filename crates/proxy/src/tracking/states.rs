//! The states of the payments on a page of the service's list.

use tender_ledger::transaction_id;
use tender_protocol::Record;
use tender_protocol::record::map_elements;

use super::Tracking;
use crate::error::Error;
use crate::store::database;
use crate::store::payments::Interest;

impl Tracking {
    /// Adds to each record of a page the state of its payment, and the mark of test mode. Everything
    /// else stays as the service wrote it, also elements that are not records.
    ///
    /// # Errors
    /// If the database fails, and for a page that is not a JSON array.
    pub(crate) async fn with_states(&self, page: String) -> Result<String, Error> {
        let elements = Record::parse_array(&page, "a page of the list");
        let elements = elements.map_err(database::Error::unreadable)?;
        let ids = elements
            .iter()
            .map(|element| transaction_id(element.as_ref().ok()?));
        let ids: Vec<_> = ids.collect();
        let named: Vec<_> = ids.iter().flatten().map(String::as_str).collect();
        let known = self.store.known(&named, Interest::default()).await?;
        let mut endings = ids.iter().map(|id| known.get(id.as_ref()?)?.ending);
        let stated = map_elements(page, |element| {
            self.statuses.with_state(element, endings.next().flatten())
        });
        Ok(stated.map_err(database::Error::unreadable)?)
    }
}
