//! The HTTP message of an event (Standard Webhooks, "Webhook payload" and "Webhook headers").

use jiff::Timestamp;
use reqwest::RequestBuilder;
use reqwest::header::CONTENT_TYPE;
use standardwebhooks::Webhook;
use tender_protocol::request::SignedOrder;
use tender_protocol::{PaymentAsset, Record};

use crate::clock::timestamp::rfc3339;
use crate::config::Secret;
use crate::statuses::{Statuses, set};
use crate::store::outbox::DueEvent;

/// Adds the signed message of an event. It is the same in each try, except for the time of the try.
pub(super) fn with_message(
    request: RequestBuilder,
    event: &DueEvent,
    statuses: &Statuses,
    secrets: &[Secret],
) -> RequestBuilder {
    // Seconds since 1970 on the clock of this machine. Receivers refuse old messages.
    let now = Timestamp::now().as_second();
    let body = body(event, statuses);
    // This fails only for a body that is not UTF-8, or a secret that the settings refuse.
    let signatures = secrets.iter().filter_map(|secret| {
        let webhook = Webhook::new(secret.as_str()).ok()?;
        webhook.sign(&event.id, now, body.as_bytes()).ok()
    });
    let signatures = signatures.collect::<Vec<_>>().join(" ");
    request
        .header(CONTENT_TYPE, "application/json")
        .header("webhook-id", &event.id)
        .header("webhook-timestamp", now)
        .header("webhook-signature", signatures)
        .body(body)
}

/// The record keeps every digit, so it is not parsed into numbers.
fn body(event: &DueEvent, statuses: &Statuses) -> String {
    let data = statuses.with_state(&event.record, event.ending);
    let data = with_facts(data, event.signed_order.as_ref());
    let (kind, timestamp) = (&event.kind, rfc3339(event.written_at));
    format!(r#"{{"type":"{kind}","timestamp":"{timestamp}","data":{data}}}"#)
}

/// A record with its network and token, and what the shop signed.
fn with_facts(json: String, order: Option<&SignedOrder>) -> String {
    let Ok(mut record) = Record::parse(&json, "a payment record") else {
        return json;
    };
    let token = record.string("paymentToken");
    let asset = token.and_then(|token| PaymentAsset::named(&token));
    let has_asset = set(&mut record, PaymentAsset::FIELD, asset.as_ref());
    let has_order = set(&mut record, SignedOrder::FIELD, order);
    match serde_json::to_string(&record) {
        Ok(with_facts) if has_asset || has_order => with_facts,
        _ => json,
    }
}
