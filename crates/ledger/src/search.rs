//! Whether pages of the service's list hold the payment of a request.

use tender_protocol::{CreatePayment, Record};

use crate::recognition::{Likeness, likeness};
use crate::status::{is_created, status};
use crate::transaction_id;

/// A search of the list's pages, one record after the other.
pub struct Search<'a> {
    request: &'a CreatePayment,
    is_signed: bool,
    may_be_shown: bool,
    /// The first day, as YYYY/MM/DD, on which the payment can have been created.
    first_day: &'a str,
    exact: Option<(String, Record)>,
    /// Describes a record that could be the payment.
    unclear: Option<String>,
    /// Describes a record that could be it if no other one is.
    other_invoice: Option<String>,
}

/// Whose payment a record of the list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// No attempt has it.
    None,
    /// Another attempt has or had it, so it is not the one that is searched for.
    Other,
    /// It is being cancelled without an attempt to create it, so it may be the one that is searched for.
    Unclear,
}

impl<'a> Search<'a> {
    /// A search for the payment of a request that was sent on `first_day` or later. `may_be_shown`: a buyer may have been shown it
    /// since, so that it may have any status.
    pub fn new(
        request: &'a CreatePayment,
        is_signed: bool,
        may_be_shown: bool,
        first_day: &'a str,
    ) -> Self {
        Self {
            request,
            is_signed,
            may_be_shown,
            first_day,
            exact: None,
            unclear: None,
            other_invoice: None,
        }
    }

    /// Whether a record could be the payment. Then its owner has to be looked up.
    pub fn concerns(&self, record: &Record) -> bool {
        !matches!(self.compare(record), Likeness::Different)
    }

    /// The invoice number of a record that differs from the request only in that.
    pub fn other_invoice(&self, record: &Record) -> Option<String> {
        let is_other = matches!(self.compare(record), Likeness::OtherInvoice);
        is_other.then(|| record.text("invoiceNumber")).flatten()
    }

    /// Adds a record that could be the payment.
    pub fn add(&mut self, record: &Record, owner: Owner) {
        let id = transaction_id(record);
        match (self.compare(record), owner, &self.exact) {
            (Likeness::Different, ..) | (_, Owner::Other, _) => {}
            (Likeness::Exact(id), Owner::None, None) => self.exact = Some((id, record.clone())),
            // A new payment may have moved this one to the next page.
            (Likeness::Exact(id), Owner::None, Some((known, first)))
                if id == *known && status(record) == status(first) => {}
            (likeness, ..) => {
                let id = id.unwrap_or_else(|| "a record that can't be read".to_owned());
                let doubt = match likeness {
                    Likeness::OtherInvoice => &mut self.other_invoice,
                    _ => &mut self.unclear,
                };
                doubt.get_or_insert(id);
            }
        }
    }

    /// The payment and its record, if the pages are the whole list.
    ///
    /// # Errors
    /// A record that could be the payment, for the log.
    pub fn found(self) -> Result<Option<(String, Record)>, String> {
        match (self.unclear, self.exact, self.other_invoice) {
            (Some(doubt), ..) | (None, None, Some(doubt)) => Err(doubt),
            (None, exact, _) => Ok(exact),
        }
    }

    fn compare(&self, record: &Record) -> Likeness {
        let likeness = likeness(self.request, self.is_signed, record);
        let is_named = record.text("invoiceNumber").is_some();
        match likeness {
            Likeness::Exact(_) if !self.may_be_shown && !is_created(record) => Likeness::Possible,
            Likeness::Exact(_) | Likeness::Possible if is_named => likeness,
            _ if is_dated_before(record, self.first_day) => Likeness::Different,
            likeness => likeness,
        }
    }
}

/// Whether the `createdAt` of a record, in the service's form YYYY/MM/DD, is before a day in the same form.
pub fn is_dated_before(record: &Record, day: &str) -> bool {
    let form = |text: &str| text.replace(|digit: char| digit.is_ascii_digit(), "0");
    let date = record.text("createdAt");
    date.is_some_and(|date| form(&date) == "0000/00/00" && *date < *day)
}
