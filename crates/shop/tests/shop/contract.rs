//! The notifications of `contract/notifications.json`, with which receivers of other authors are tested, too.

use serde::Deserialize;

use crate::delivery::{self, Delivery};

#[derive(Deserialize)]
pub(crate) struct Contract {
    /// The receiver's secret.
    pub(crate) secret: String,
    /// The receiver's clock.
    now: i64,
    deliveries: Vec<DeliveryCase>,
    events: Vec<EventCase>,
}

#[derive(Deserialize)]
struct DeliveryCase {
    name: String,
    #[serde(flatten)]
    sent: Delivery,
    /// What was signed instead of what is sent.
    #[serde(default)]
    signed: Signed,
    accepted: bool,
}

#[derive(Default, Deserialize)]
struct Signed {
    secret: Option<String>,
    id: Option<String>,
    timestamp: Option<String>,
    body: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventCase {
    pub(crate) name: String,
    /// The shop's order.
    pub(crate) order: Option<SoldOrder>,
    /// The body of an earlier notification.
    pub(crate) earlier: Option<String>,
    #[serde(default)]
    pub(crate) allow_test_mode: bool,
    pub(crate) body: String,
    pub(crate) expected: Expected,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SoldOrder {
    pub(crate) invoice_number: String,
    pub(crate) token: String,
    pub(crate) quantity: String,
    pub(crate) cancelled: bool,
}

#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) fulfil: bool,
    /// What a person has to look at.
    pub(crate) question: Option<String>,
}

pub(crate) fn contract() -> Contract {
    let file = include_str!("../../../../contract/notifications.json");
    serde_json::from_str(file).unwrap()
}

impl Contract {
    /// Those that the receiver must accept, or must refuse, moved to the present: timestamps are shifted, and signed again.
    pub(crate) fn deliveries(&self, accepted: bool) -> impl Iterator<Item = (&str, Delivery)> {
        let seconds = delivery::now() - self.now;
        let cases = self.deliveries.iter();
        let cases = cases.filter(move |case| case.accepted == accepted);
        cases.map(move |case| (&*case.name, case.later(seconds, &self.secret)))
    }

    pub(crate) fn events(&self, allow_test_mode: bool) -> impl Iterator<Item = &EventCase> {
        let events = self.events.iter();
        events.filter(move |case| case.allow_test_mode == allow_test_mode)
    }
}

impl DeliveryCase {
    fn later(&self, seconds: i64, secret: &str) -> Delivery {
        let Self { sent, signed, .. } = self;
        let secret = signed.secret.as_deref().unwrap_or(secret);
        let signed = Delivery {
            id: signed.id.as_ref().unwrap_or(&sent.id).clone(),
            timestamp: signed.timestamp.as_ref().unwrap_or(&sent.timestamp).clone(),
            signature: String::new(),
            body: signed.body.as_ref().unwrap_or(&sent.body).clone(),
        };
        let signature = signed.sign(secret);
        let is_signed = sent.signature.contains(&signature);
        assert!(is_signed || sent.signature.len() < 5, "{}", self.name);
        let signed_later = signed.later(seconds).sign(secret);
        Delivery {
            signature: sent.signature.replace(&signature, &signed_later),
            ..sent.later(seconds)
        }
    }
}
