//! Faults between the service and its caller, for tests.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

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

/// A fault that affects the next calls. If several faults are set, a call is affected by the first
/// one that matches, so that a test can set up a sequence: a 500, then a lost response, then
/// success.
///
/// The default affects every call and changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    /// The affected endpoint; all endpoints if absent.
    pub endpoint: Option<Endpoint>,
    /// Number of affected calls; until it is cleared if absent.
    pub times: Option<NonZeroU32>,
    /// The call is handled after this is opened, if present.
    #[serde(skip)]
    pub gate: Option<Gate>,
    /// Delay in milliseconds before the call is handled.
    pub delay_ms: u64,
    /// Delay in milliseconds after the call is handled, before the response is sent.
    pub hold_ms: u64,
    /// What happens to the call.
    pub outcome: Outcome,
}

/// Keeps calls waiting until it is opened. With a gate, what a test does meanwhile may take any time.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    /// Creates a closed gate.
    pub fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Opens it for all calls that wait or will arrive.
    pub fn open(&self) {
        self.0.close();
    }

    /// Waits until it is open.
    pub(crate) async fn opened(&self) {
        // It never has permits, so the only result is that it was closed.
        let _ = self.0.acquire().await;
    }
}

impl PartialEq for Gate {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Gate {}

/// What happens to a call.
///
/// As JSON: `"handle"`, `"dropRequest"`, `{"respond": {"status": 503, "body": "..."}}` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The call is handled normally. Use it for a fault with delays only.
    #[default]
    Handle,
    /// The call is not handled; this is the response.
    Respond(CannedAnswer),
    /// The call is not handled, and the connection is closed without a response.
    DropRequest,
    /// The call is handled, and the connection is closed without a response.
    DropAnswer,
    /// The call is handled, but the response is an HTML page with status 200.
    Html,
    /// The call is handled, but the response has only the first half of its body, with a matching
    /// content length.
    Truncate,
}

/// A response that replaces the service's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CannedAnswer {
    /// HTTP status, from 200 to 599.
    #[serde(with = "status_code")]
    pub status: StatusCode,
    /// The body; its `Content-Type` is `application/json`.
    #[serde(default)]
    pub body: String,
}

impl Fault {
    /// Creates a fault for all calls to all endpoints, until it is cleared.
    pub fn new(outcome: Outcome) -> Self {
        Self {
            outcome,
            ..Self::default()
        }
    }

    /// Creates a fault for all calls that responds with an error status and a JSON body.
    pub fn respond(status: StatusCode, body: impl Into<String>) -> Self {
        Self::new(Outcome::Respond(CannedAnswer {
            status,
            body: body.into(),
        }))
    }

    /// Limits the fault to calls of this endpoint.
    #[must_use]
    pub fn on(mut self, endpoint: Endpoint) -> Self {
        self.endpoint = Some(endpoint);
        self
    }

    /// Limits the fault to this many calls.
    #[must_use]
    pub fn times(mut self, times: NonZeroU32) -> Self {
        self.times = Some(times);
        self
    }

    /// Limits the fault to the next call.
    #[must_use]
    pub fn once(self) -> Self {
        self.times(NonZeroU32::MIN)
    }

    /// Waits until the gate is opened before the call is handled.
    #[must_use]
    pub fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Waits before the call is handled.
    #[must_use]
    pub fn delay_ms(mut self, milliseconds: u64) -> Self {
        self.delay_ms = milliseconds;
        self
    }

    /// Waits after the call is handled, before the response is sent.
    #[must_use]
    pub fn hold_ms(mut self, milliseconds: u64) -> Self {
        self.hold_ms = milliseconds;
        self
    }

    fn affects(&self, endpoint: Endpoint) -> bool {
        self.endpoint.is_none_or(|only| only == endpoint)
    }
}

/// Returns the fault that affects this call, and counts the call.
pub(crate) fn take(faults: &mut Vec<Fault>, endpoint: Endpoint) -> Option<Fault> {
    let place = faults.iter().position(|fault| fault.affects(endpoint))?;
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

/// [`StatusCode`] as a number. Informational statuses are not allowed.
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
