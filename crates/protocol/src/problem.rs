//! Error responses of the proxy: problem details (RFC 9457) with a code from a closed set.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::client::FailureCode;
use crate::record::{Record, RecordError};

/// The media type of a [`Problem`].
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The body of every error response of the proxy.
///
/// A member that is absent or does not have its documented type gets its default, and extra members
/// are ignored (RFC 9457, sections 3.1 and 3.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A URI that names the kind of problem.
    #[serde(rename = "type", deserialize_with = "or_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub kind: String,
    /// The same for every problem of this kind.
    #[serde(deserialize_with = "or_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub title: String,
    /// The HTTP status, repeated.
    #[serde(deserialize_with = "or_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub status: u16,
    /// What went wrong this time, and what to do about it; safe to show to a buyer.
    #[serde(deserialize_with = "or_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub detail: String,
    /// The kind of problem, for programs.
    #[serde(deserialize_with = "or_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub code: ProblemCode,
}

impl Problem {
    /// The problem with this code.
    pub fn of(code: ProblemCode, detail: String) -> Self {
        Self {
            kind: format!("urn:problem-type:tender:{}", code.as_str()),
            title: code.title().to_owned(),
            status: code.status(),
            detail,
            code,
        }
    }

    /// Reads the body of an error response.
    ///
    /// # Errors
    /// [`RecordError`] if `json` is not a JSON object.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Record::parse(json, "a problem")?.read("problem")
    }
}

/// Reads a value, or takes the default if it has another type.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let json = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(json.get()).unwrap_or_default())
}

/// The known codes.
#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for ProblemCode {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .description(Some("The kind of problem, for programs."))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for ProblemCode {}

macro_rules! problem_codes {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident = $code:literal, $status:literal, $failure:ident, $title:literal $(, $detail:literal)?;
    )*) => {
        /// The codes of the problems that the proxy reports.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(from = "String")]
        pub enum ProblemCode {
            $(
                #[doc = concat!($title, ".\n")]
                $(#[doc = $doc])*
                #[serde(rename = $code)]
                $name,
            )*
            /// A code from a newer version of the proxy, or a response that is not from the proxy.
            #[default]
            #[serde(other, rename = "unknown")]
            Unknown,
        }

        impl From<String> for ProblemCode {
            fn from(code: String) -> Self {
                match &*code { $($code => Self::$name,)* _ => Self::Unknown }
            }
        }

        impl ProblemCode {
            /// All codes except `Unknown`, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The name of the code in JSON.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* Self::Unknown => "unknown" }
            }

            /// Its HTTP status.
            pub fn status(self) -> u16 {
                match self { $(Self::$name => $status,)* Self::Unknown => 500 }
            }

            /// What it means to a client; `None` for a response that is not the proxy's. The first question is whether the
            /// buyer may have paid.
            pub(crate) fn failure(self) -> Option<FailureCode> {
                match self { $(Self::$name => Some(FailureCode::$failure),)* Self::Unknown => None }
            }

            /// Its title.
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* Self::Unknown => "Unknown problem" }
            }

            /// What went wrong, and what to do about it; the title if that depends on the request.
            pub fn detail(self) -> &'static str {
                match self { $($(Self::$name => $detail,)?)* _ => self.title() }
            }
        }
    };
}

problem_codes! {
    /// The body is not the documented JSON, or something else of the request is not as documented.
    InvalidRequest = "invalid-request", 400, RequestRefused, "The request can't be read";
    UnsupportedMediaType = "unsupported-media-type", 415, RequestRefused, "The body must be JSON",
        "Send the body as `Content-Type: application/json`.";
    RequestTimeout = "request-timeout", 408, Timeout, "The request took too long",
        "The request body did not arrive in time.";
    /// The rate limit of a client has a text of its own.
    TooManyRequests = "too-many-requests", 429, ServiceFailed, "Too many requests",
        "This payment was to be cancelled too often; try again in a moment.";
    PayloadTooLarge = "payload-too-large", 413, RequestRefused, "The body is too large",
        "The request body is longer than 16384 bytes.";
    TokenNotAccepted = "token-not-accepted", 422, RequestRefused, "The token is not accepted";
    OrderMalformed = "order-malformed", 400, OrderRefused, "The order can't be read",
        "The order is not a JWT in the compact form.";
    OrderTooLong = "order-too-long", 413, OrderRefused, "The order is too long";
    /// The order's `alg` is `none`, or there is no key for it.
    OrderAlgorithmRefused = "order-algorithm-refused", 403, OrderRefused, "The order's algorithm is not accepted",
        "No key is configured for the order's `alg`; sign with HS256 or EdDSA.";
    OrderKeyUnknown = "order-key-unknown", 403, OrderRefused, "The order's key is not known",
        "No key is configured for the order's `kid`; add it to the proxy's `order_key`, or sign with another key.";
    OrderSignatureInvalid = "order-signature-invalid", 403, OrderRefused, "The order's signature is not valid",
        "The order's signature does not match: it was altered, or signed with another key. Compare the shop's key with the \
         proxy's `order_key`.";
    /// The order's `nbf` is in the future.
    OrderNotYetValid = "order-not-yet-valid", 403, OrderRefused, "The order is not valid yet";
    /// The order's claims are wrong, or its header requires something that is not supported.
    OrderInvalid = "order-invalid", 403, OrderRefused, "The order is not valid";
    OrderAmountMismatch = "order-amount-mismatch", 422, OrderRefused, "The amount is not the order's",
        "`quantity` differs from the order's amount; leave it out.";
    /// The order's `exp` is in the past. An order that is to be paid has a text of its own.
    OrderExpired = "order-expired", 403, OrderExpired, "The order has expired",
        "The order has expired, so its payment can only be read; ask the shop.";
    UnsignedOrderRefused = "unsigned-order-refused", 403, OrderRefused, "The order must be signed",
        "Send an `order` that the shop has signed.";
    CredentialsMissing = "credentials-missing", 401, RequestRefused, "A receipt or key is needed",
        "Send `Authorization: Bearer` with the payment's receipt, its signed order or a merchant key, as the path needs.";
    CredentialsInvalid = "credentials-invalid", 403, RequestRefused, "The receipt or key is not valid",
        "The receipt or key is wrong, has expired, or is for another payment.";
    /// The page's origin is not one of `allow_origin`.
    OriginRefused = "origin-refused", 403, Unreachable, "The page's origin is not allowed";
    AttemptMismatch = "attempt-mismatch", 422, RequestRefused, "The Idempotency-Key was used for another request",
        "This `Idempotency-Key` was sent before with another body; use a new key.";
    AttemptInProgress = "attempt-in-progress", 409, ServiceFailed, "The attempt is still under way",
        "This payment is still being created; try again in a moment.";
    AttemptEnded = "attempt-ended", 410, AttemptEnded, "The attempt has ended",
        "This payment was cancelled or replaced; start again.";
    /// It is not certain that the order's earlier payment, in another token, was cancelled. So no second one is created.
    EarlierPaymentOpen = "earlier-payment-open", 409, EarlierPaymentOpen, "An earlier payment of the order may be open",
        "The order's earlier payment may still be open, because cancelling it failed; try again.";
    /// The service's list may hold the order's payment, but which record it is remains unclear. So no other payment is created.
    PaymentUnidentified = "payment-unidentified", 409, MayBePaid, "The order may have a payment already",
        "The order may have a payment already; ask the shop before you pay.";
    /// The status of the order's payment is no longer that of its creation, so it is not replaced.
    PaymentProgressed = "payment-progressed", 409, MayBePaid, "The order's payment has progressed",
        "The payment may have been paid, so it is neither cancelled nor replaced; ask the shop.";
    PaymentOpen = "payment-open", 409, PaymentOpen, "The order has another open payment",
        "The order has another open payment. Name it in `replaces`, with its receipt, or pay that one.";
    /// A buyer says so.
    PaymentSent = "payment-sent", 409, MayBePaid, "Money may have been sent for the payment",
        "Money may have been sent for the payment, so it is neither cancelled nor replaced; ask the shop.";
    CancelBegun = "cancel-begun", 409, AttemptEnded, "The payment is no longer to be paid",
        "The payment is being cancelled or has ended; send no money for it.";
    CancelUnconfirmed = "cancel-unconfirmed", 502, EarlierPaymentOpen, "The cancellation is not confirmed",
        "The payment service did not confirm that the payment is cancelled; try again.";
    PaymentContradictory = "payment-contradictory", 502, RecordMismatch, "The payment contradicts the request",
        "The payment service's response contradicts the order; ask the shop.";
    /// The payment was not created by this proxy, or its data was deleted.
    PaymentUnknown = "payment-unknown", 404, RequestRefused, "The payment is not known",
        "No payment with this transactionId is known.";
    CursorUnknown = "cursor-unknown", 404, RequestRefused, "The payment is not in the list",
        "The service's list does not have this payment; read the list from its start.";
    StreamsFull = "streams-full", 503, ServiceFailed, "Too many streams are open",
        "Too many event streams are open; poll instead.";
    NotFound = "not-found", 404, RequestRefused, "Not found",
        "There is nothing at this path. Those of the proxy are `/api/v1/...`, `/v1/...` and `/pay`: check the element's \
         `proxy`, and whether a server in front changes the path.";
    MethodNotAllowed = "method-not-allowed", 405, RequestRefused, "Method not allowed",
        "This path does not support this method.";
    ServiceRefused = "service-refused", 502, RequestRefused, "The payment service refused the request",
        "The payment service refused the request; the proxy's log has the reason.";
    ServiceFailed = "service-failed", 502, ServiceFailed, "The payment service failed",
        "The payment service failed; try again.";
    ServiceUnreadable = "service-unreadable", 502, AnswerUnreadable, "The payment service's answer can't be read",
        "The payment service's response can't be used; try again.";
    ServiceUnreachable = "service-unreachable", 502, ServiceFailed, "The payment service can't be reached",
        "The payment service can't be reached; try again.";
    ServiceTimeout = "service-timeout", 504, Timeout, "The payment service took too long",
        "The payment service did not answer in time; try again.";
    Overloaded = "overloaded", 503, ServiceFailed, "Too many requests at once",
        "Too many requests are in progress; try again in a moment.";
    /// Only the readiness check responds with this.
    Stopping = "stopping", 503, ServiceFailed, "The proxy is stopping",
        "The proxy is shutting down; use another instance.";
    DatabaseUnavailable = "database-unavailable", 503, ServiceFailed, "The proxy's database is not available",
        "The proxy's database is not available; try again in a moment.";
    Internal = "internal", 500, ServiceFailed, "The proxy failed",
        "The proxy failed; its log has the cause.";
}
