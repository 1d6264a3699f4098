//! The `AsyncAPI` document of the notifications to the shop and of the event streams.

use serde_json::{Map, Value, json};
use tender_protocol::openapi::Notification;
use tender_protocol::{event, path};
use utoipa::PartialSchema as _;

use super::schemas::parts;
use super::{PROGRAM, elements, fields, parsed};
use crate::current::is_current;

#[test]
fn the_asyncapi_document_is_current() {
    let text = serde_json::to_string_pretty(&document(&parsed())).unwrap();
    is_current("docs/asyncapi.json", &format!("{text}\n"), PROGRAM);
}

/// Schemas are those of the types, and streams are described as in the OpenAPI document.
fn document(openapi: &Value) -> Value {
    let mut schemas = parts::<Notification>();
    schemas.insert("Notification".to_owned(), Notification::schema());
    let of_payment = format!("{}/{{transactionId}}/events", path::PAYMENT);
    let mut document = json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Tender proxy: notifications and event streams",
            "version": openapi["info"]["version"],
            "description": "What the proxy sends by itself. Its routes are described in OpenAPI. Receivers should ignore fields and types that they don't know.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "notifications": {
                "address": null,
                "description": "The address in the proxy's setting `notify_url`.",
                "messages": { "notification": { "$ref": "#/components/messages/notification" } },
            },
        },
        "operations": {
            "notifyShop": {
                "action": "send",
                "channel": { "$ref": "#/channels/notifications" },
                "summary": "Notify the shop of a payment",
                "description": "As Standard Webhooks specifies. It is repeated until the shop answers 2xx, for three days. Those of one payment arrive in order.",
                "bindings": { "http": { "method": "POST", "bindingVersion": "0.3.0" } },
            },
        },
        "components": {
            "messages": {
                "notification": {
                    "summary": "A payment was created, or has changed",
                    "headers": headers(),
                    "payload": { "$ref": "#/components/schemas/Notification" },
                },
                event::CREATED: of_stream("The record of a payment that is new to the proxy", &record()),
                event::STATUS: of_stream("The record of a payment, at once and after each change", &record()),
                event::LEDGER: of_stream(
                    "What the proxy knows about payments may have changed: request it again",
                    &json!({ "type": "object", "maxProperties": 0 }),
                ),
            },
            "schemas": schemas,
            "securitySchemes": {},
        },
    });
    let all = [event::CREATED, event::STATUS, event::LEDGER];
    add_stream(&mut document, openapi, &of_payment, &[event::STATUS]);
    add_stream(&mut document, openapi, path::EVENTS, &all);
    document
}

/// The headers of Standard Webhooks.
fn headers() -> Value {
    json!({
        "type": "object",
        "required": ["webhook-id", "webhook-timestamp", "webhook-signature"],
        "properties": {
            "webhook-id": {
                "type": "string",
                "description": "The same whenever the notification is repeated.",
            },
            "webhook-timestamp": {
                "type": "string",
                "pattern": "^[0-9]+$",
                "description": "When it was sent, in seconds since 1970. Refuse it if it is more than five minutes off.",
            },
            "webhook-signature": {
                "type": "string",
                "description": "One signature for each secret in the proxy's setting `notify_secret`, separated by spaces: `v1,` and the HMAC-SHA256 of id, timestamp and raw body, joined by points, in Base64.",
            },
        },
    })
}

fn record() -> Value {
    json!({ "$ref": "#/components/schemas/PaymentRecord" })
}

/// An event of a stream.
fn of_stream(summary: &str, payload: &Value) -> Value {
    json!({
        "summary": summary,
        "description": "A server-sent event. Its field `event` is the message's name, and its `data` the payload.",
        "payload": payload,
    })
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
