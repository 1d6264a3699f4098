//! `notifications test`, which sends a signed event to the shop's backend, and prints what came back.

use std::process::ExitCode;

use aws_lc_rs::rand;
use jiff::Timestamp;
use serde_json::json;
use tender_merchant_cli::write_output;

use super::Done;
use crate::config::Config;
use crate::deliveries;
use crate::transport::Transports;

/// The `type` of the event. A receiver answers 2xx to one that it does not know, and does nothing.
const KIND: &str = "test";

/// Sends the event once. The exit code says whether the receiver accepted it.
pub(super) async fn send(config: &Config, as_json: bool) -> Done {
    let settings = &config.notifications;
    let Some(url) = &settings.url else {
        return Err("`notify_url` is not set, so there is nothing to test".into());
    };
    let mut random = [0; 16];
    rand::fill(&mut random)?;
    let id = format!("msg_{}", hex::encode(random));
    let timestamp = Timestamp::now().to_string();
    let body = json!({ "type": KIND, "timestamp": timestamp, "data": {} }).to_string();
    let transport = Transports::new(config)?.shop;
    let reply = deliveries::send(&transport, url.clone(), &id, body, &settings.secrets).await;
    let (is_accepted, answer) = match &reply {
        Ok(reply) => (reply.status.is_success(), reply.answer()),
        Err(failure) => (false, failure.to_string()),
    };
    // The rest of the address may be a secret.
    let receiver = url.origin().ascii_serialization();
    write_output(&if as_json {
        let answer =
            json!({ "id": id, "receiver": receiver, "accepted": is_accepted, "answer": answer });
        format!("{answer}\n")
    } else {
        let verdict = if is_accepted {
            "accepted"
        } else {
            "did not accept"
        };
        format!("{receiver} {verdict} the event {id} of the type `{KIND}`: {answer}\n")
    })?;
    Ok(if is_accepted {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
