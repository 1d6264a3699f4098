//! The form that adds a fault.

use std::num::NonZeroU32;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::fault::{Endpoint, Fault, Outcome};

/// The fields of the form.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FaultForm {
    endpoint: EndpointChoice,
    outcome: OutcomeChoice,
    times: Times,
    delay_ms: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum EndpointChoice {
    All,
    Tokens,
    List,
    Cancel,
    Create,
}

/// What the form offers of [`Outcome`].
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum OutcomeChoice {
    Handle,
    Error,
    DropRequest,
    DropAnswer,
    Html,
    Truncate,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Times {
    Once,
    UntilCleared,
}

impl From<FaultForm> for Fault {
    fn from(form: FaultForm) -> Self {
        let fault = match form.outcome {
            OutcomeChoice::Handle => Self::new(Outcome::Handle),
            OutcomeChoice::Error => Self::respond(
                StatusCode::INTERNAL_SERVER_ERROR,
                r#"{"error":"set on the page of the sandbox"}"#,
            ),
            OutcomeChoice::DropRequest => Self::new(Outcome::DropRequest),
            OutcomeChoice::DropAnswer => Self::new(Outcome::DropAnswer),
            OutcomeChoice::Html => Self::new(Outcome::Html),
            OutcomeChoice::Truncate => Self::new(Outcome::Truncate),
        };
        Self {
            endpoint: match form.endpoint {
                EndpointChoice::All => None,
                EndpointChoice::Tokens => Some(Endpoint::Tokens),
                EndpointChoice::List => Some(Endpoint::List),
                EndpointChoice::Cancel => Some(Endpoint::Cancel),
                EndpointChoice::Create => Some(Endpoint::Create),
            },
            times: match form.times {
                Times::Once => Some(NonZeroU32::MIN),
                Times::UntilCleared => None,
            },
            delay_ms: form.delay_ms,
            ..fault
        }
    }
}

/// A fault as a row of the page's table.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct FaultRow {
    endpoint: &'static str,
    calls: String,
    delay_ms: u64,
    outcome: String,
}

impl From<&Fault> for FaultRow {
    fn from(fault: &Fault) -> Self {
        Self {
            endpoint: match fault.endpoint {
                None => "all",
                Some(Endpoint::Tokens) => "list tokens",
                Some(Endpoint::List) => "list payments",
                Some(Endpoint::Cancel) => "cancel",
                Some(Endpoint::Create) => "create",
            },
            calls: match fault.times {
                None => "until cleared".to_owned(),
                Some(times) => format!("next {times}"),
            },
            delay_ms: fault.delay_ms.saturating_add(fault.hold_ms),
            outcome: match &fault.outcome {
                Outcome::Handle => "succeeds".to_owned(),
                Outcome::Respond(answer) => {
                    format!("not executed: HTTP {}", answer.status.as_u16())
                }
                Outcome::DropRequest => "not executed: the connection closes".to_owned(),
                Outcome::DropAnswer => "executed, but the response is lost".to_owned(),
                Outcome::Html => "executed, but the response is an HTML page".to_owned(),
                Outcome::Truncate => "executed, but the response is cut in half".to_owned(),
            },
        }
    }
}
