//! The `AsyncAPI` document of the notifications to the shop and of the event streams. It is written by hand, except for what is
//! made from the types and from the OpenAPI document.

use serde_json::{Map, Value, json};
use tender_protocol::openapi::Notification;
use tender_protocol::{event, path};
use utoipa::PartialSchema as _;

use super::schemas::parts;
use super::{PROGRAM, elements, fields, parsed};
use crate::current::is_current;

const WRITTEN: &str = include_str!("../../../../../docs/asyncapi.json");

#[test]
fn the_asyncapi_document_is_current() {
    let text = serde_json::to_string_pretty(&document(&parsed())).unwrap();
    is_current("docs/asyncapi.json", &format!("{text}\n"), PROGRAM);
}

/// Schemas are those of the types, and streams are described as in the OpenAPI document.
fn document(openapi: &Value) -> Value {
    let mut document: Value = serde_json::from_str(WRITTEN).unwrap();
    document["info"]["version"] = openapi["info"]["version"].clone();
    let mut schemas = parts::<Notification>();
    schemas.insert("Notification".to_owned(), Notification::schema());
    document["components"]["schemas"] = json!(schemas);
    document["components"]["securitySchemes"] = json!({});
    for (kind, written) in [("channels", "notifications"), ("operations", "notifyShop")] {
        let written = json!({ written: document[kind][written] });
        document[kind] = written;
    }
    let messages = fields(&document["components"]["messages"]).map(|(name, _)| name);
    let known = [event::CREATED, event::LEDGER, "notification", event::STATUS];
    assert_eq!(messages.collect::<Vec<_>>(), known);
    let of_payment = format!("{}/{{transactionId}}/events", path::PAYMENT);
    add_stream(&mut document, openapi, &of_payment, &[event::STATUS]);
    add_stream(
        &mut document,
        openapi,
        path::EVENTS,
        &[event::CREATED, event::STATUS, event::LEDGER],
    );
    document
}

/// Adds a stream of server-sent events as it is in the OpenAPI document.
fn add_stream(document: &mut Value, openapi: &Value, path: &str, events: &[&str]) {
    let operation = &openapi["paths"][path]["get"];
    let id = operation["operationId"].as_str().unwrap();
    let schemes = elements(&operation["security"]).flat_map(fields);
    let mut security = Vec::new();
    for (name, _) in schemes {
        let mut scheme = openapi["components"]["securitySchemes"][name].clone();
        if scheme["type"] == "apiKey" {
            scheme["type"] = json!("httpApiKey");
        }
        document["components"]["securitySchemes"][name] = scheme;
        security.push(json!({ "$ref": format!("#/components/securitySchemes/{name}") }));
    }
    let messages = events.iter().map(|&name| {
        let message = json!({ "$ref": format!("#/components/messages/{name}") });
        (name.to_owned(), message)
    });
    let mut channel = json!({ "address": path, "messages": messages.collect::<Map<_, _>>() });
    for parameter in elements(&operation["parameters"]).filter(|one| one["in"] == "path") {
        let name = parameter["name"].as_str().unwrap();
        channel["parameters"][name] = json!({ "description": parameter["description"] });
    }
    document["channels"][id] = channel;
    document["operations"][id] = json!({
        "action": "send",
        "channel": { "$ref": format!("#/channels/{id}") },
        "summary": operation["summary"],
        "description": operation["description"],
        "security": security,
        "bindings": { "http": { "method": "GET", "bindingVersion": "0.3.0" } },
    });
}
