//! Makes the OpenAPI document.
//!
//! Each handler's attribute says what it receives and returns if it succeeds. The table of routes adds the codes of its
//! problems. Those that follow from its credentials, its body or its query are added here.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::http::App;
use tender_protocol::{Problem, ProblemCode, problem};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{
    AllOfBuilder, ComponentsBuilder, Content, ContentBuilder, HeaderBuilder, InfoBuilder,
    ObjectBuilder, OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder, Type,
};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// Who calls a route: the tags of the document.
pub(crate) const PAGE: &str = "Pages";
pub(crate) const BUYER: &str = "Buyers";
pub(crate) const MERCHANT: &str = "Merchant";
pub(crate) const SERVICE: &str = "Payment service";
pub(crate) const OPERATOR: &str = "Operator";

const TAGS: [&str; 5] = [PAGE, BUYER, MERCHANT, SERVICE, OPERATOR];

/// Problems of every route with limits.
const EVERY: &[ProblemCode] = &[ProblemCode::TooManyRequests, ProblemCode::Internal];

/// Problems of routes with credentials, which are those that use the database.
const CREDENTIALS: &[ProblemCode] = &[
    ProblemCode::CredentialsMissing,
    ProblemCode::CredentialsInvalid,
    ProblemCode::DatabaseUnavailable,
];

const BODY: &[ProblemCode] = &[
    ProblemCode::InvalidRequest,
    ProblemCode::RequestTimeout,
    ProblemCode::PayloadTooLarge,
];

/// Problems of a call to the payment service.
pub(crate) const CALL: &[ProblemCode] = &[
    ProblemCode::ServiceRefused,
    ProblemCode::ServiceFailed,
    ProblemCode::ServiceUnreadable,
    ProblemCode::ServiceUnreachable,
    ProblemCode::ServiceTimeout,
    ProblemCode::Overloaded,
];

/// Problems of a signed order.
pub(crate) const ORDER: &[ProblemCode] = &[
    ProblemCode::OrderMalformed,
    ProblemCode::OrderTooLong,
    ProblemCode::OrderAlgorithmRefused,
    ProblemCode::OrderKeyUnknown,
    ProblemCode::OrderSignatureInvalid,
    ProblemCode::OrderNotYetValid,
    ProblemCode::OrderInvalid,
    ProblemCode::OrderExpired,
];

/// Problems of a request to create a payment.
pub(crate) const CREATE: &[ProblemCode] = &[
    ProblemCode::UnsignedOrderRefused,
    ProblemCode::OrderAmountMismatch,
    ProblemCode::TokenNotAccepted,
    ProblemCode::AttemptMismatch,
    ProblemCode::AttemptInProgress,
    ProblemCode::AttemptEnded,
    ProblemCode::EarlierPaymentOpen,
    ProblemCode::PaymentOpen,
    ProblemCode::PaymentSent,
    ProblemCode::PaymentProgressed,
    ProblemCode::PaymentUnidentified,
    ProblemCode::PaymentContradictory,
];

/// Problems of a request to cancel a payment.
pub(crate) const CANCEL: &[ProblemCode] = &[
    ProblemCode::OrderExpired,
    ProblemCode::PaymentUnknown,
    ProblemCode::PaymentSent,
    ProblemCode::PaymentProgressed,
    ProblemCode::PaymentUnidentified,
    ProblemCode::CancelUnconfirmed,
];

/// Problems of marks that money may have been sent.
pub(crate) const MARK: &[ProblemCode] = &[ProblemCode::OrderExpired, ProblemCode::PaymentUnknown];

/// Adds responses to the operations of a route.
pub(crate) trait Problems {
    /// These problems, and those that follow from the rest of the operation.
    fn problems(self, codes: &[&[ProblemCode]]) -> Self;

    /// The same for a page of the proxy's own origin. Each problem may also be an HTML page.
    fn page_problems(self, codes: &[&[ProblemCode]]) -> Self;

    /// Only this problem, of a route without limits.
    fn problem(self, code: ProblemCode) -> Self;
}

impl Problems for UtoipaMethodRouter<Arc<App>> {
    fn problems(mut self, codes: &[&[ProblemCode]]) -> Self {
        for item in self.1.paths.values_mut() {
            if let Some(get) = &mut item.get {
                add(get, &[codes, &[&[ProblemCode::OriginRefused]]].concat());
            }
            for operation in [&mut item.post, &mut item.put, &mut item.delete]
                .into_iter()
                .flatten()
            {
                add(operation, codes);
            }
        }
        self
    }

    fn page_problems(mut self, codes: &[&[ProblemCode]]) -> Self {
        for item in self.1.paths.values_mut() {
            for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
                add(operation, codes);
                for response in operation.responses.responses.values_mut() {
                    if let RefOr::T(response) = response
                        && response.content.contains_key(problem::MEDIA_TYPE)
                    {
                        let page = Content::default().into();
                        response.content.insert("text/html".to_owned(), page);
                    }
                }
            }
        }
        self
    }

    fn problem(mut self, code: ProblemCode) -> Self {
        for item in self.1.paths.values_mut() {
            if let Some(get) = &mut item.get {
                let response = RefOr::T(response(code.status(), &[code]));
                let responses = &mut get.responses.responses;
                responses.insert(code.status().to_string(), response);
            }
        }
        self
    }
}

/// Adds a response for each status of these problems.
fn add(operation: &mut Operation, codes: &[&[ProblemCode]]) {
    let mut codes = [codes, &[EVERY]].concat();
    if operation.security.is_some() {
        codes.push(CREDENTIALS);
    }
    if operation.parameters.is_some() {
        codes.push(&[ProblemCode::InvalidRequest]);
    }
    if let Some(RefOr::T(body)) = &operation.request_body {
        codes.push(BODY);
        if body.content.contains_key("application/json") {
            codes.push(&[ProblemCode::UnsupportedMediaType]);
        }
    }
    let codes = codes.concat();
    let mut by_status = BTreeMap::<_, Vec<_>>::new();
    for code in ProblemCode::ALL.iter().filter(|code| codes.contains(code)) {
        by_status.entry(code.status()).or_default().push(*code);
    }
    for (status, codes) in by_status {
        let response = RefOr::T(response(status, &codes));
        operation
            .responses
            .responses
            .insert(status.to_string(), response);
    }
}

fn response(status: u16, codes: &[ProblemCode]) -> Response {
    let lines = codes
        .iter()
        .map(|code| format!("- `{}`: {}", code.as_str(), code.title()));
    let names = codes.iter().map(|code| code.as_str());
    let code = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names.clone()));
    let schema = AllOfBuilder::new()
        .item(Ref::from_schema_name("Problem"))
        .item(ObjectBuilder::new().property("code", code));
    let example = |name| {
        let place = format!("#/components/examples/{name}");
        (name, RefOr::Ref(Ref::new(place)))
    };
    let content = ContentBuilder::new()
        .schema(Some(schema))
        .examples_from_iter(names.map(example));
    let response = ResponseBuilder::new()
        .description(lines.collect::<Vec<_>>().join("\n"))
        .content(problem::MEDIA_TYPE, content.build());
    if matches!(status, 409 | 429 | 503) {
        let seconds = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0));
        let header = HeaderBuilder::new()
            .schema(Some(seconds))
            .description(Some("Seconds, if a later request may succeed"));
        return response.header("Retry-After", header.build()).build();
    }
    response.build()
}

pub(crate) fn document(routes: impl IntoIterator<Item = OpenApiRouter<Arc<App>>>) -> String {
    let mut components = ComponentsBuilder::new()
        .schema_from::<Problem>()
        .schema_from::<ProblemCode>();
    for code in ProblemCode::ALL {
        let problem = Problem::of(*code, format!("{}.", code.title()));
        let example = ExampleBuilder::new().value(serde_json::to_value(problem).ok());
        components = components.example(code.as_str(), example.build());
    }
    let bearer = |format: &str, description| {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format(format);
        SecurityScheme::Http(scheme.description(Some(description)).build())
    };
    let in_query = ApiKeyValue::with_description(
        "receipt",
        "The receipt, because an `EventSource` can't set headers",
    );
    let components = components
        .security_scheme(
            "receipt",
            bearer(
                "JWT",
                "The `receipt` in the response that created or found the payment",
            ),
        )
        .security_scheme("order", bearer("JWT", "The order that the shop has signed"))
        .security_scheme(
            "merchantKey",
            bearer("opaque", "A key of the setting `merchant_key`"),
        )
        .security_scheme(
            "receiptInQuery",
            SecurityScheme::ApiKey(ApiKey::Query(in_query)),
        );
    let info = InfoBuilder::new()
        .title("Tender proxy")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION));
    let mut document = OpenApiBuilder::new()
        .info(info.build())
        .components(Some(components.build()))
        .tags(Some(TAGS.map(Tag::new)))
        .build();
    for routes in routes {
        document.merge(routes.into_openapi());
    }
    // Texts, numbers and lists can always be written.
    document.to_pretty_json().unwrap_or_default()
}

const DESCRIPTION: &str = "The merchant proxy of a crypto checkout. Clients should ignore fields that they don't know. \
    The response's `X-Request-Id` is in the proxy's log.";
