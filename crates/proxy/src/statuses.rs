//! What the statuses of payments mean, by the mapping that a reload may replace. [`tender_ledger`] has the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use arc_swap::ArcSwap;
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use serde::Serialize;
use tender_ledger::{Facts, Mapping, Meaning, OrderMoney, PaymentFate, status};
use tender_protocol::found::SENT;
use tender_protocol::order_payments::OrderPayment;
use tender_protocol::test_mode::mark;
use tender_protocol::{Payment, PaymentState, Record};

use crate::config::Config;
use crate::store::payments::Change;

/// Who sees a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    Merchant,
    /// Who created the payment.
    Buyer,
    /// Who has the order. They don't see the buyer's e-mail address and name.
    Finder,
}

impl Viewer {
    /// The record in this JSON, as it is sent.
    pub(crate) fn shown(self, json: String) -> String {
        match self {
            Self::Merchant | Self::Buyer => json,
            Self::Finder => Payment::without_buyer(&json),
        }
    }
}

/// How many statuses without a meaning are reported. A service has a few.
const MAX_REPORTED: usize = 100;

/// What statuses mean, shared by everything that interprets them. A reload replaces the mapping.
pub(crate) struct Statuses {
    mapping: ArcSwap<Mapping>,
    test_mode: bool,
    /// The statuses without a meaning that were reported.
    reported: Mutex<BTreeSet<[String; 2]>>,
    /// Counts them.
    unmapped: Counter,
}

impl Statuses {
    pub(crate) fn new(config: &Config, unmapped: Counter) -> Self {
        Self {
            mapping: ArcSwap::from_pointee(mapping(config)),
            test_mode: config.upstream.test_mode,
            reported: Mutex::default(),
            unmapped,
        }
    }

    pub(crate) fn replace_mapping(&self, config: &Config) {
        self.mapping.store(Arc::new(mapping(config)));
    }

    /// The mapping, which is another one after each [`replace_mapping`](Self::replace_mapping).
    pub(crate) fn mapping(&self) -> Arc<Mapping> {
        self.mapping.load_full()
    }

    /// What the status of a record means. The log says once of each status that it has no meaning.
    pub(crate) fn meaning(&self, record: &Record) -> Meaning {
        let meaning = self.mapping.load().meaning(record);
        if meaning == Meaning::NotMapped {
            self.report(status(record));
        }
        meaning
    }

    fn report(&self, unmapped: [String; 2]) {
        let mut reported = self.reported.lock();
        if reported.len() >= MAX_REPORTED || !reported.insert(unmapped.clone()) {
            return;
        }
        drop(reported);
        self.unmapped.inc();
        let [status_id, status_text] = unmapped;
        tracing::warn!(
            status_id,
            status_text,
            "no setting says what this status of the service means; if it means that money has arrived or that a payment has \
             ended, set `status_paid`, `status_pending`, `status_underpaid` or `status_closed`: `tender-proxy statuses` lists \
             all with examples"
        );
    }

    /// The reported statuses that have no meaning yet, by their names, or by their codes.
    pub(crate) fn unmapped(&self) -> Vec<String> {
        let mapping = self.mapping();
        let reported = self.reported.lock();
        let unmapped = reported
            .iter()
            .filter(|status| mapping.meaning_of(status) == Meaning::NotMapped);
        let names = unmapped.filter_map(|[id, name]| {
            let mut names = [name, id].into_iter();
            names.find(|name| !name.trim().is_empty())
        });
        names.cloned().collect()
    }

    /// What the status of a stored record means. One that can't be read means nothing.
    pub(crate) fn meaning_of(&self, json: &str) -> Meaning {
        let record = Record::parse(json, "a payment record");
        record.map_or(Meaning::NotMapped, |record| self.meaning(&record))
    }

    /// Whether more is known of a payment than that it is open.
    pub(crate) fn is_interpreted(&self, json: &str, stored: Facts) -> bool {
        let fate = PaymentFate::next(stored.fate, self.meaning_of(json), false);
        fate.is_some() || stored.order.is_some()
    }

    /// A record as JSON, with its state, and marked in test mode. Every other field stays as the service
    /// wrote it; of one that is there twice, the last stays.
    pub(crate) fn with_state(&self, json: &str, stored: Facts) -> String {
        let Ok(mut record) = Record::parse(json, "a payment record") else {
            return json.to_owned();
        };
        let has_changed = self.add_state(&mut record, stored);
        let changed = has_changed.then(|| serde_json::to_string(&record).ok());
        changed.flatten().unwrap_or_else(|| json.to_owned())
    }

    /// The same for a record. Returns whether it has changed.
    pub(crate) fn add_state(&self, record: &mut Record, stored: Facts) -> bool {
        let mut has_changed = record.keep_last() | mark(record, self.test_mode);
        let is_paid =
            PaymentFate::next(stored.fate, self.meaning(record), false) == Some(PaymentFate::Paid);
        let order = stored.order.filter(|_| !is_paid);
        let order_paid = (order == Some(OrderMoney::Paid)).then_some(&true);
        has_changed |= set(record, PaymentState::ORDER_PAID, order_paid);
        has_changed |= set(record, PaymentState::ORDER_SEEN, order.map(|_| &true));
        has_changed |= set(record, SENT, stored.sent.then_some(&true));
        let state = self.mapping.load().state(record, stored);
        has_changed
            | set(
                record,
                PaymentState::FIELD,
                state.map(PaymentState::as_str).as_ref(),
            )
    }

    /// The latest record of a payment, as it is sent: with its state, and for the merchant with the amount that the list shows.
    pub(crate) fn latest(&self, change: &Change, viewer: Viewer) -> String {
        let json = viewer.shown(self.with_state(&change.record, change.facts));
        let (Viewer::Merchant, Some(listed_pay)) = (viewer, &change.listed_pay) else {
            return json;
        };
        let with_amount = || {
            let mut record = Record::parse(&json, "a payment record").ok()?;
            record.set(OrderPayment::LISTED_PAY, listed_pay).ok()?;
            serde_json::to_string(&record).ok()
        };
        with_amount().unwrap_or(json)
    }
}

/// The statuses that the settings map.
pub(crate) fn mapping(config: &Config) -> Mapping {
    Mapping {
        pending: config.orders.status_pending.clone(),
        underpaid: config.orders.status_underpaid.clone(),
        paid: config.orders.status_paid.clone(),
        closed: config.orders.status_closed.clone(),
    }
}

/// Sets a field of the proxy. Without a value, a field of that name is removed, because clients would take it for the proxy's.
/// Returns whether the record has changed.
pub(crate) fn set(record: &mut Record, field: &str, value: Option<&impl Serialize>) -> bool {
    match value {
        Some(value) => record.set(field, value).is_ok(),
        None => record.remove(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With these statuses for paid payments.
    fn statuses(paid: &[&str]) -> Statuses {
        let mapping = Mapping {
            paid: paid.iter().map(|&status| status.to_owned()).collect(),
            ..Mapping::default()
        };
        Statuses {
            mapping: ArcSwap::from_pointee(mapping),
            test_mode: false,
            reported: Mutex::default(),
            unmapped: Counter::default(),
        }
    }

    #[test]
    fn a_status_without_a_meaning_is_reported_once() {
        let statuses = statuses(&["2"]);
        for (status, reported) in [
            (r#""1","statusText":"Created""#, 0),
            (r#""2","statusText":"Paid""#, 0),
            (r#""5","statusText":"Cancelled""#, 0),
            (r#""3","statusText":"paid""#, 1),
            (r#""3","statusText":"paid""#, 1),
            (r#""4","statusText":"Confirming""#, 2),
        ] {
            statuses.meaning_of(&format!(r#"{{"statusId":{status}}}"#));
            assert_eq!(statuses.unmapped.get(), reported, "{status}");
        }
        assert_eq!(statuses.unmapped(), ["paid", "Confirming"]);
        let confirming = Mapping {
            pending: vec!["4".to_owned()],
            ..Mapping::default()
        };
        statuses.mapping.store(Arc::new(confirming));
        assert_eq!(statuses.unmapped(), ["paid"]);
        statuses.meaning_of(r#"{"statusId":"8","statusText":""}"#);
        statuses.meaning_of("{}");
        assert_eq!(statuses.unmapped(), ["paid", "8"]);
        for id in 10..300 {
            statuses.meaning_of(&format!(r#"{{"statusId":"{id}"}}"#));
        }
        assert_eq!(statuses.unmapped.get(), 100);
    }

    #[test]
    fn a_record_gains_only_its_state() {
        let json =
            r#"{"statusId":"1", "state":"paid","testMode":true,"x":[1.10, 1e-8],"quantity":25.00}"#;
        let plain = r#"{"statusId":"1","x":[1.10, 1e-8],"quantity":25.00"#;
        let none = statuses(&[]);
        let open = Facts::default();
        let closed = Facts {
            fate: Some(PaymentFate::Closed),
            ..open
        };
        // The service's own fields are not taken for the proxy's.
        assert_eq!(none.with_state(json, open), format!("{plain}}}"));
        let with = |state| format!(r#"{plain},"state":"{state}"}}"#);
        assert_eq!(none.with_state(json, closed), with("closed"));
        assert_eq!(statuses(&["2"]).with_state(json, open), with("open"));
        let twice = r#"{"wallet":"a", "quantity":1,"w\u0061llet":"b"}"#;
        let once = r#"{"quantity":1,"wallet":"b"}"#;
        assert_eq!(none.with_state(twice, open), once);
        for other in [r#"{"statusId": "1"}"#, "1", "{"] {
            assert_eq!(none.with_state(other, open), other);
        }
    }
}
