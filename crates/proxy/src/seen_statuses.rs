//! The statuses of the stored payments, and which mapped statuses none of them has.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tender_ledger::{Mapping, Meaning, status};
use tender_protocol::Record;

use crate::config::{Orders, letters};
use crate::store::{Store, database};

/// By `statusId` and `statusText`.
pub(crate) struct SeenStatuses(BTreeMap<[String; 2], Seen>);

struct Seen {
    payments: u64,
    /// The transactionId of one of them.
    example: String,
    meaning: Meaning,
}

impl SeenStatuses {
    pub(crate) async fn read(store: &Store, mapping: &Mapping) -> database::Result<Self> {
        let mut seen = BTreeMap::<_, Seen>::new();
        let mut last = String::new();
        loop {
            let batch = store.payments_after(&last).await?;
            let Some(newest) = batch.last() else { break };
            last.clone_from(&newest.transaction_id);
            for payment in batch {
                let Ok(record) = Record::parse(&payment.change.record, "a payment record") else {
                    continue;
                };
                let found = seen.entry(status(&record)).or_insert_with(|| Seen {
                    payments: 0,
                    example: payment.transaction_id,
                    meaning: mapping.meaning(&record),
                });
                found.payments += 1;
            }
        }
        Ok(Self(seen))
    }

    /// Each status with the number of its payments, an example and what it means. The texts are the service's, so unprintable
    /// characters are escaped.
    pub(crate) fn table(&self) -> String {
        let mut table = "statusId\tstatusText\tpayments\tmeaning\texample\n".to_owned();
        for ([id, name], seen) in &self.0 {
            let [id, name, example] = [id, name, &seen.example].map(|text| text.escape_debug());
            let (payments, meaning) = (seen.payments, word(seen.meaning));
            // Writing to a string can't fail.
            let _ = writeln!(table, "{id}\t{name}\t{payments}\t{meaning}\t{example}");
        }
        table
    }

    /// A sentence without its full stop for each mapped status that no stored payment has. Nothing as long as all payments are
    /// new: then it proves nothing.
    pub(crate) fn unmatched(&self, orders: &Orders) -> Vec<String> {
        let mut unmatched = Vec::new();
        if self.0.values().all(|seen| seen.meaning == Meaning::Created) {
            return unmatched;
        }
        let seen: Vec<_> = self.0.keys().flatten().collect();
        for (setting, statuses) in orders.statuses() {
            for status in statuses.iter().filter(|status| !seen.contains(status)) {
                let alike = seen.iter().find(|seen| letters(seen) == letters(status));
                let advice = match alike {
                    Some(alike) => format!(
                        "the service sends `{}`: write it exactly so",
                        alike.escape_debug()
                    ),
                    None => "compare it with those of `tender-proxy statuses`".to_owned(),
                };
                unmatched.push(format!(
                    "no stored payment has the status `{status}` of `{setting}`; {advice}"
                ));
            }
        }
        unmatched
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::statuses::mapping;

    /// What is said of `status_paid = paid` and `status_closed = [9, Expired]`, with payments of these statuses.
    fn unmatched(statuses: &[[&str; 2]]) -> Vec<String> {
        let service = "https://pay.example";
        let mut config = Config::new(service, service).unwrap();
        config.orders.status_paid = vec!["paid".to_owned()];
        config.orders.status_closed = vec!["9".to_owned(), "Expired".to_owned()];
        let seen = statuses.iter().map(|status| {
            let [id, name] = status;
            let json = format!(r#"{{"statusId":"{id}","statusText":"{name}"}}"#);
            let record = Record::parse(&json, "a payment record").unwrap();
            let seen = Seen {
                payments: 1,
                example: "id".to_owned(),
                meaning: mapping(&config).meaning(&record),
            };
            (status.map(str::to_owned), seen)
        });
        SeenStatuses(seen.collect()).unmatched(&config.orders)
    }

    #[test]
    fn mappings_without_a_payment_are_named_once_a_payment_has_moved_on() {
        assert_eq!(unmatched(&[]), [""; 0]);
        assert_eq!(unmatched(&[["1", "Created"]]), [""; 0]);
        assert_eq!(
            unmatched(&[["1", "Created"], ["2", "Paid"], ["9", "Void"]]),
            [
                "no stored payment has the status `paid` of `status_paid`; the service sends `Paid`: write it exactly so",
                "no stored payment has the status `Expired` of `status_closed`; compare it with those of `tender-proxy statuses`",
            ]
        );
        assert_eq!(unmatched(&[["2", "paid"], ["9", "Expired"]]), [""; 0]);
    }
}
