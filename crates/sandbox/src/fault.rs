//! What can go wrong between the service and its caller, on demand.

use std::num::NonZeroU32;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

/// An endpoint of the service (its document, "Endpoints").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Endpoint {
    /// 1. List enabled tokens.
    Tokens,
    /// 2. List payments.
    List,
    /// 3. Cancel a payment.
    Cancel,
    /// 4. Create a payment request.
    Create,
}

/// A fault that befalls the next calls. Where several are set, a call meets the first one that
/// matches it, so that a test can tell a story: first a 500, then a lost answer, then all is well.
///
/// The default befalls every call and changes nothing.
///
/// As JSON: `{"endpoint": "create", "times": 1, "delayMs": 500, "outcome": "dropAnswer"}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Fault {
    /// Which calls; every endpoint's where absent.
    pub endpoint: Option<Endpoint>,
    /// How many calls; until it is cleared where absent.
    pub times: Option<NonZeroU32>,
    /// Milliseconds to wait before anything is done: the request is slow to arrive.
    pub delay_ms: u64,
    /// Milliseconds to wait when all is done: the answer is slow to come back.
    pub hold_ms: u64,
    /// What happens to the call.
    pub outcome: Outcome,
}

/// What happens to a call.
///
/// As JSON: `"handle"`, `"dropRequest"`, `{"respond": {"status": 503, "body": "..."}}` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It is handled and answered as ever (a fault of delays alone).
    #[default]
    Handle,
    /// It is not handled; this is the answer.
    Respond(CannedAnswer),
    /// It is not handled, and the connection closes without an answer.
    DropRequest,
    /// It is handled, and the connection closes without an answer: the answer is lost.
    DropAnswer,
    /// It is handled, but status 200 and a page of HTML come back.
    Html,
    /// It is handled, but only the first half of the answer's body comes back, as if whole.
    Truncate,
}

/// An answer that a fault gives in the service's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CannedAnswer {
    /// HTTP status.
    #[serde(with = "status_code")]
    pub status: StatusCode,
    /// The body, as it is.
    #[serde(default)]
    pub body: String,
    /// `Content-Type`; JSON where absent.
    #[serde(default = "json")]
    pub content_type: String,
}

impl Fault {
    /// For every call to every endpoint, until it is cleared.
    #[must_use]
    pub fn new(outcome: Outcome) -> Self {
        Self {
            outcome,
            ..Self::default()
        }
    }

    /// For every call: an error status with a JSON body.
    #[must_use]
    pub fn respond(status: StatusCode, body: impl Into<String>) -> Self {
        Self::new(Outcome::Respond(CannedAnswer {
            status,
            body: body.into(),
            content_type: json(),
        }))
    }

    /// Only for calls to this endpoint.
    #[must_use]
    pub fn on(mut self, endpoint: Endpoint) -> Self {
        self.endpoint = Some(endpoint);
        self
    }

    /// Only for so many calls.
    #[must_use]
    pub fn times(mut self, times: NonZeroU32) -> Self {
        self.times = Some(times);
        self
    }

    /// Only for the next call.
    #[must_use]
    pub fn once(self) -> Self {
        self.times(NonZeroU32::MIN)
    }

    /// Waits before anything is done.
    #[must_use]
    pub fn delay_ms(mut self, milliseconds: u64) -> Self {
        self.delay_ms = milliseconds;
        self
    }

    /// Waits when all is done, before the answer goes back.
    #[must_use]
    pub fn hold_ms(mut self, milliseconds: u64) -> Self {
        self.hold_ms = milliseconds;
        self
    }

    fn befalls(&self, endpoint: Endpoint) -> bool {
        self.endpoint.is_none_or(|only| only == endpoint)
    }
}

/// Takes the fault that befalls this call, and counts it.
pub(crate) fn take(faults: &mut Vec<Fault>, endpoint: Endpoint) -> Option<Fault> {
    let place = faults.iter().position(|fault| fault.befalls(endpoint))?;
    let fault = faults.get_mut(place)?;
    let met = fault.clone();
    if let Some(times) = fault.times {
        fault.times = NonZeroU32::new(times.get() - 1);
        if fault.times.is_none() {
            faults.remove(place);
        }
    }
    Some(met)
}

fn json() -> String {
    "application/json".to_owned()
}

/// [`StatusCode`] as a number that a final answer may carry.
mod status_code {
    use axum::http::StatusCode;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands over a reference"
    )]
    pub(super) fn serialize<S: Serializer>(
        status: &StatusCode,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(status.as_u16())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<StatusCode, D::Error> {
        let number = u16::deserialize(deserializer)?;
        StatusCode::from_u16(number)
            .ok()
            .filter(|status| (200..600).contains(&status.as_u16()))
            .ok_or_else(|| D::Error::custom("`status` must be from 200 to 599"))
    }
}
