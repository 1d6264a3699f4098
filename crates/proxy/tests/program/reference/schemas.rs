//! The JSON Schemas in contract/schemas, and recorded values that must be valid.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Value, json};
use tender_checkout_core::saved::SavedPayment;
use tender_protocol::openapi::element_event::{CheckoutEvent, PaymentsEvent};
use tender_protocol::openapi::{Notification, PaymentRecord};
use tender_protocol::record::readable;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::{PROGRAM, elements, fields};
use crate::current::is_current;

#[test]
fn the_schemas_are_current() {
    for (name, schema) in [
        ("payment", file::<PaymentRecord>()),
        ("notification", file::<Notification>()),
        ("checkout-event", file::<CheckoutEvent>()),
        ("payments-event", file::<PaymentsEvent>()),
        ("saved-payment", file::<SavedPayment>()),
    ] {
        is_current(&format!("contract/schemas/{name}.json"), &schema, PROGRAM);
    }
}

#[derive(Serialize)]
struct File {
    #[serde(rename = "$schema")]
    dialect: &'static str,
    #[serde(flatten)]
    root: RefOr<Schema>,
    #[serde(rename = "$defs")]
    parts: BTreeMap<String, RefOr<Schema>>,
}

/// A type's schema with those that it refers to. The schemas of OpenAPI 3.1 are JSON Schemas.
fn file<T: ToSchema>() -> String {
    let file = File {
        dialect: "https://json-schema.org/draft/2020-12/schema",
        root: T::schema(),
        parts: parts::<T>(),
    };
    let text = serde_json::to_string_pretty(&file).unwrap();
    text.replace("#/components/schemas/", "#/$defs/") + "\n"
}

/// The schemas that a type's schema refers to.
pub(super) fn parts<T: ToSchema>() -> BTreeMap<String, RefOr<Schema>> {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    parts.into_iter().collect()
}

fn schema<T: ToSchema>() -> Value {
    serde_json::from_str(&file::<T>()).unwrap()
}

#[track_caller]
fn validate(schema: &Validator, value: &Value) {
    if let Err(error) = schema.validate(value) {
        panic!("{error} at {}: {value}", error.instance_path());
    }
}

#[test]
fn recorded_notifications_are_valid() {
    let schema = jsonschema::draft202012::new(&schema::<Notification>()).unwrap();
    let file = include_str!("../../../../../contract/notifications.json");
    let file: Value = serde_json::from_str(file).unwrap();
    for case in elements(&file["deliveries"]).chain(elements(&file["events"])) {
        let body = readable(case["body"].as_str().unwrap().to_owned());
        let body: Value = serde_json::from_str(&body).unwrap();
        // A receiver accepts types of newer versions, and does nothing with them.
        if body["type"] != "payment.of-a-newer-version" {
            validate(&schema, &body);
        }
    }
    let other = json!({ "type": "payment.paid", "timestamp": "2026-03-02T10:00:00Z", "data": {} });
    assert!(!schema.is_valid(&other));
}

/// The elements' own tests compare their events with the same file.
#[test]
fn recorded_events_are_valid_and_complete() {
    let file = include_str!("../../../../../contract/events.json");
    let file: Value = serde_json::from_str(file).unwrap();
    for (element, schema) in [
        ("tender-checkout", schema::<CheckoutEvent>()),
        ("tender-payments", schema::<PaymentsEvent>()),
    ] {
        let declared = elements(&schema["oneOf"]);
        let declared = declared.map(|event| &event["properties"]["type"]["enum"][0]);
        let declared: BTreeSet<_> = declared.map(|name| name.as_str().unwrap()).collect();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let events: Vec<_> = elements(&file[element]).collect();
        for event in &events {
            validate(&validator, event);
        }
        let recorded = events.iter().map(|event| event["type"].as_str().unwrap());
        assert_eq!(recorded.collect::<BTreeSet<_>>(), declared);
    }
}

#[test]
fn the_declared_types_have_the_same_fields_and_codes() {
    let declared = include_str!("../../../../../src/checkout.d.ts");
    let schema = schema::<CheckoutEvent>();
    let (_, payment) = declared.split_once("interface TenderPayment {").unwrap();
    let (payment, _) = payment.split_once("\n}").unwrap();
    let names = payment.lines().filter_map(|line| {
        let (name, _) = line.trim().strip_prefix("readonly ")?.split_once(':')?;
        Some(name)
    });
    let names: BTreeSet<_> = names.map(str::to_owned).collect();
    let payment = &schema["$defs"]["ElementPayment"];
    let required: Vec<_> = elements(&payment["required"]).collect();
    let fields = fields(&payment["properties"]).map(|(name, _)| {
        let is_optional = !required.contains(&&json!(name));
        format!("{name}{}", if is_optional { "?" } else { "" })
    });
    assert_eq!(names, fields.collect());

    let (_, codes) = declared.split_once("type TenderErrorCode =").unwrap();
    let (codes, _) = codes.split_once(';').unwrap();
    let codes: Vec<_> = codes.split('"').skip(1).step_by(2).collect();
    assert_eq!(json!(codes), schema["$defs"]["ErrorCode"]["enum"]);
}
