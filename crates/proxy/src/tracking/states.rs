//! The states of the payments on a page of the service's list.

use serde_json::value::RawValue;
use tender_protocol::Record;

use super::{Error, Tracking};
use crate::statuses::text;
use crate::store::database;
use crate::store::payments::Interest;

impl Tracking {
    /// Adds to each record of a page the state of its payment. Everything else stays as the service
    /// wrote it, also elements that are not records.
    ///
    /// # Errors
    /// [`Error::Database`], also for a page that is not a JSON array.
    pub(crate) async fn with_states(&self, page: String) -> Result<String, Error> {
        let elements: Vec<&RawValue> =
            serde_json::from_str(&page).map_err(database::Error::unreadable)?;
        let ids: Vec<_> = elements.iter().map(|element| id(element)).collect();
        // PostgreSQL does not allow NUL in texts.
        let plain = ids.iter().flatten().map(String::as_str);
        let plain: Vec<_> = plain.filter(|id| !id.contains('\0')).collect();
        let known = self.store.known(&plain, Interest::default()).await?;
        let ending = |id: &Option<String>| known.get(id.as_ref()?).and_then(|known| known.ending);
        let stated = elements
            .iter()
            .zip(&ids)
            .map(|(element, id)| self.statuses.with_state(element.get(), ending(id)));
        let stated: Vec<_> = stated.collect();
        if stated
            .iter()
            .zip(&elements)
            .all(|(new, old)| new == old.get())
        {
            return Ok(page);
        }
        Ok(format!("[{}]", stated.join(",")))
    }
}

fn id(element: &RawValue) -> Option<String> {
    let record = Record::parse(element.get(), "a payment record").ok()?;
    text(&record, "transactionId")
}
