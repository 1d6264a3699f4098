//! How the proxy says no: problem details (RFC 9457) with a code from a closed set.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// The media type of a [`Problem`].
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The body of every error answer of the proxy.
///
/// A member that is absent or of another type than documented reads as its default, and extra
/// members are ignored (RFC 9457, sections 3.1 and 3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// A URI that names the kind of problem.
    #[serde(rename = "type", default, deserialize_with = "or_default")]
    pub kind: String,
    /// The same for every problem of this kind.
    #[serde(default, deserialize_with = "or_default")]
    pub title: String,
    /// The HTTP status, repeated.
    #[serde(default, deserialize_with = "or_default")]
    pub status: u16,
    /// What went wrong this time, and what to do about it; safe to show to a buyer.
    #[serde(default, deserialize_with = "or_default")]
    pub detail: String,
    /// What programs switch on.
    #[serde(default, deserialize_with = "or_default")]
    pub code: ProblemCode,
}

/// A member of another type reads as its default.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let json = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(json.get()).unwrap_or_default())
}

macro_rules! problem_codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $status:literal, $title:literal;)*) => {
        /// The closed set of reasons that the proxy gives.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum ProblemCode {
            $($(#[doc = $doc])* #[serde(rename = $code)] $name,)*
            /// A code from a newer proxy, or an answer that is not the proxy's.
            #[default]
            #[serde(other, rename = "unknown")]
            Unknown,
        }

        impl ProblemCode {
            /// Every code that the proxy gives, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code as it stands on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* Self::Unknown => "unknown" }
            }

            /// The HTTP status that goes with it.
            #[must_use]
            pub fn status(self) -> u16 {
                match self { $(Self::$name => $status,)* Self::Unknown => 500 }
            }

            /// The title that goes with it.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* Self::Unknown => "Unknown problem" }
            }
        }
    };
}

problem_codes! {
    /// The body is not the documented JSON.
    InvalidRequest = "invalid-request", 400, "The request can't be read";
    /// The body is not `application/json`.
    UnsupportedMediaType = "unsupported-media-type", 415, "The body must be JSON";
    /// The request did not arrive in time.
    RequestTimeout = "request-timeout", 408, "The request took too long";
    /// The address has spent its budget of requests.
    TooManyRequests = "too-many-requests", 429, "Too many requests";
    /// The body is over the limit.
    PayloadTooLarge = "payload-too-large", 413, "The body is too large";
    /// The create endpoint does not accept this token code.
    TokenNotAccepted = "token-not-accepted", 422, "The token is not accepted";
    /// The order is not a JWT.
    OrderMalformed = "order-malformed", 400, "The order can't be read";
    /// The order is over the limit.
    OrderTooLong = "order-too-long", 413, "The order is too long";
    /// The order's `alg` is `none`, or one for which there is no key.
    OrderAlgorithmRefused = "order-algorithm-refused", 403, "The order's algorithm is not accepted";
    /// There is no key of the order's `kid`.
    OrderKeyUnknown = "order-key-unknown", 403, "The order's key is not known";
    /// The order was altered, or signed with another key.
    OrderSignatureInvalid = "order-signature-invalid", 403, "The order's signature is not valid";
    /// The order's `nbf` has not come.
    OrderNotYetValid = "order-not-yet-valid", 403, "The order is not valid yet";
    /// The order's claims are wrong, or its header asks for what is not supported.
    OrderInvalid = "order-invalid", 403, "The order is not valid";
    /// The page asks for another amount than the order's.
    OrderAmountMismatch = "order-amount-mismatch", 422, "The amount is not the order's";
    /// The order's `exp` has passed.
    OrderExpired = "order-expired", 403, "The order has expired";
    /// A plain order came to a proxy that takes signed ones only.
    UnsignedOrderRefused = "unsigned-order-refused", 403, "The order must be signed";
    /// No receipt or merchant key was sent.
    CredentialsMissing = "credentials-missing", 401, "A receipt or key is needed";
    /// The receipt or merchant key is wrong, expired or for another payment.
    CredentialsInvalid = "credentials-invalid", 403, "The receipt or key is not valid";
    /// The same `Idempotency-Key` came with another body.
    AttemptMismatch = "attempt-mismatch", 422, "The attempt was another one";
    /// The first request of this attempt has not been answered yet.
    AttemptInProgress = "attempt-in-progress", 409, "The attempt is still under way";
    /// The attempt's payment was cancelled, or a later choice of the buyer's took its place.
    AttemptEnded = "attempt-ended", 410, "The attempt has ended";
    /// The order's earlier payment, in another token, could not be cancelled for certain: there is no
    /// second one.
    EarlierPaymentOpen = "earlier-payment-open", 409, "An earlier payment of the order may be open";
    /// The payment was not created by this proxy, or is forgotten.
    PaymentUnknown = "payment-unknown", 404, "The payment is not known";
    /// As many streams of events are open as may be.
    StreamsFull = "streams-full", 503, "Too many streams are open";
    /// Nothing lives at this path.
    NotFound = "not-found", 404, "Not found";
    /// The path is there, the method is not.
    MethodNotAllowed = "method-not-allowed", 405, "Method not allowed";
    /// The payment service refused the request.
    ServiceRefused = "service-refused", 502, "The payment service refused the request";
    /// The payment service failed.
    ServiceFailed = "service-failed", 502, "The payment service failed";
    /// The payment service's answer is not as documented.
    ServiceUnreadable = "service-unreadable", 502, "The payment service's answer can't be read";
    /// The payment service can't be reached.
    ServiceUnreachable = "service-unreachable", 502, "The payment service can't be reached";
    /// The payment service took too long.
    ServiceTimeout = "service-timeout", 504, "The payment service took too long";
    /// The payment service failed several times in a row, and is left alone for a while.
    ServiceUnavailable = "service-unavailable", 503, "The payment service is not available";
    /// As many payments are being created as the proxy asks for at once.
    Overloaded = "overloaded", 503, "Too many payments at once";
    /// The proxy itself failed.
    Internal = "internal", 500, "The proxy failed";
}
