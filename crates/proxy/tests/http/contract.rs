//! Checks each response of a test against the proxy's OpenAPI document: an undocumented route, status, media type or field
//! fails.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Value, json};

use crate::answer::Answer;

/// The document, with schemas that allow no other fields.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document: Value = serde_json::from_str(&tender_proxy::openapi_document()).unwrap();
    close(&mut document);
    // It is served at another address.
    document["paths"]
        .as_object_mut()
        .unwrap()
        .remove("/metrics");
    document
});

/// The published schema of notifications, which allows no other fields either.
static NOTIFICATION: LazyLock<Validator> = LazyLock::new(|| {
    let file = include_str!("../../../../contract/schemas/notification.json");
    let mut schema: Value = serde_json::from_str(file).unwrap();
    close(&mut schema);
    forbid_others(&mut schema);
    jsonschema::draft202012::new(&schema).unwrap()
});

/// A validator for each response that there was.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Tests whose service sends records that are not as documented. The proxy passes them on.
const OTHER_RECORDS: [&str; 13] = [
    "find::fields_of_the_service_are_not_taken_for_those_of_the_proxy",
    "list::pages_start_at_1_whatever_the_service_does",
    "list::the_records_after_a_payment_are_the_services",
    "never_cancelled::a_payment_without_an_attempt_is_looked_up_too",
    "notifications::without_a_signed_order_none_is_repeated",
    "pass_through::a_response_is_unchanged_except_for_the_receipt",
    "pass_through::amounts_reach_the_service_with_all_digits",
    "pass_through::the_service_gets_the_documented_fields_and_the_configured_headers",
    "test_mode::the_listing_gains_only_its_mark",
    "tokens::a_listing_without_tokens_does_not_replace_another",
    "tokens::the_last_listing_is_served_while_the_service_fails",
    "tokens::the_listing_is_passed_on_unchanged",
    "tracking::the_latest_record_is_as_the_service_wrote_it",
];

#[track_caller]
pub(crate) fn check(method: &Method, path: &str, answer: &Answer) {
    // Only the proxy's own responses have one: not those of a server in front of it, and none to malformed HTTP.
    if !answer.headers.contains_key("x-request-id")
        || [Method::OPTIONS, Method::HEAD].contains(method)
    {
        return;
    }
    let route = format!("{method} {path}");
    let template = template(path);
    let method = method.as_str().to_lowercase();
    let operation = template.and_then(|template| DOCUMENT["paths"][template].get(&method));
    let status = answer.status.as_u16();
    let (Some(template), Some(operation)) = (template, operation) else {
        let refused = [404, 405].contains(&status) || answer.body.contains("\"origin-refused\"");
        assert!(refused, "{route} is not documented");
        return;
    };
    let Some(response) = operation["responses"].get(status.to_string()) else {
        panic!("{status} of {route} is not documented: {}", answer.body);
    };
    let media_type = answer.header("content-type");
    let essence = media_type.split(';').next().unwrap();
    let Some(content) = response.get("content") else {
        assert_eq!(
            answer.body, "",
            "the body of {status} of {route} is not documented"
        );
        return;
    };
    if content.get("*/*").is_some() {
        return;
    }
    assert!(
        content.get(essence).is_some(),
        "`{essence}` of {status} of {route} is not documented"
    );
    let test = std::thread::current();
    let is_other = test
        .name()
        .is_some_and(|name| OTHER_RECORDS.contains(&name));
    if essence.ends_with("json") && !(is_other && status == 200) {
        let body = serde_json::from_str(&answer.body).unwrap();
        let response = format!("{status} of {method} {template}");
        let validator = validator(&response, &content[essence]["schema"]);
        let errors = validator.iter_errors(&body);
        let errors: Vec<_> = errors
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(
            errors.is_empty(),
            "{response}: {errors:#?}\n{}",
            answer.body
        );
    }
}

#[track_caller]
pub(crate) fn check_notification(notification: &Value) {
    if let Err(error) = NOTIFICATION.validate(notification) {
        panic!("{error} at {}: {notification}", error.instance_path());
    }
}

/// The path of the document that a path fits, with as few parameters as possible.
pub(crate) fn template(path: &str) -> Option<&'static str> {
    let fits = |template: &&String| {
        let (names, parts) = (template.split('/'), path.split('/'));
        let is_same = |(name, part): (&str, &str)| {
            name == part || (name.starts_with('{') && !part.is_empty())
        };
        names.clone().count() == parts.clone().count() && names.zip(parts).all(is_same)
    };
    let templates = DOCUMENT["paths"].as_object().unwrap().keys();
    let template = templates
        .filter(fits)
        .min_by_key(|template| template.matches('{').count());
    // A file may be in a folder.
    let file = path.starts_with("/v1/").then_some("/v1/{file}");
    template.map(String::as_str).or(file)
}

/// The validator of the schema of a response.
fn validator(response: &str, schema: &Value) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap();
    let validator = validators.entry(response.to_owned()).or_insert_with(|| {
        let mut schema = schema.clone();
        schema["components"] = DOCUMENT["components"].clone();
        Arc::new(jsonschema::draft202012::new(&schema).unwrap())
    });
    Arc::clone(validator)
}

/// Adds to each schema of a value that it has no other fields.
fn close(part: &mut Value) {
    match part {
        Value::Object(fields) => {
            for (name, part) in fields {
                match (name.as_str(), &mut *part) {
                    ("schema" | "items", schema) => forbid_others(schema),
                    ("properties", Value::Object(schemas)) => {
                        schemas.values_mut().for_each(forbid_others);
                    }
                    _ => {}
                }
                close(part);
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(close),
        _ => {}
    }
}

fn forbid_others(schema: &mut Value) {
    let composed = ["$ref", "allOf", "oneOf", "properties"];
    if composed.iter().any(|keyword| schema.get(keyword).is_some()) {
        schema["unevaluatedProperties"] = json!(false);
    }
}
