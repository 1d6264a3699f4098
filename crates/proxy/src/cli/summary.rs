//! What a proxy with these settings would do, in a few sentences, at the end of `--check`.

use crate::clock::days;
use crate::config::RETENTION;
use crate::config::{Config, Notifications};

/// Seconds of an hour.
const HOUR: u64 = 60 * 60;

pub(super) fn of(config: &Config) -> String {
    [
        service(config),
        pages(config),
        orders(config),
        statuses(config),
        notifications(config),
        memory(config),
        merchant(config),
    ]
    .map(|line| line + "\n")
    .concat()
}

fn service(config: &Config) -> String {
    let upstream = &config.upstream;
    let names: Vec<_> = upstream.headers.iter().map(|it| it.name.as_str()).collect();
    let headers = if names.is_empty() {
        "without a header for credentials".to_owned()
    } else {
        format!("with the header {}", names.join(", "))
    };
    let mode = if upstream.test_mode {
        "in test mode: no real money moves"
    } else {
        "with real money"
    };
    format!(
        "Service: payments at {} and tokens at {}, {headers}, {mode}.",
        upstream.base_url, upstream.rates_base_url
    )
}

fn pages(config: &Config) -> String {
    let origins = config.server.allow_origins.iter();
    let origins: Vec<_> = origins.filter_map(|origin| origin.to_str().ok()).collect();
    let whose = if origins.contains(&"*") {
        "any".to_owned()
    } else if origins.is_empty() {
        "only the proxy's own (`allow_origin` is not set)".to_owned()
    } else {
        origins.join(", ")
    };
    format!("Whose pages may call the proxy: {whose}.")
}

fn orders(config: &Config) -> String {
    let mut signers = Vec::new();
    for (key, number) in config.orders.keys.iter().zip(1..) {
        let kind = match key.secret {
            Some(_) => "a secret",
            None => "a private key",
        };
        signers.push(format!("the shop with {kind} (`{}`)", key.name(number)));
    }
    let links = &config.payment_links;
    if links.is_on {
        let limits = links.limits().max_quantity.into_iter();
        let limits: Vec<_> = limits
            .map(|(token, max)| format!("{max} {token}"))
            .collect();
        signers.push(format!(
            "holders of a merchant key, as links up to {} for {} days",
            limits.join(", "),
            links.max_days
        ));
    }
    if config.orders.allow_unsigned {
        signers.push(
            "the page itself, without a signature and at any price (`allow_unsigned_orders`)"
                .to_owned(),
        );
    }
    format!(
        "Who signs orders: {}. They expire within {} days.",
        signers.join("; "),
        config.orders.max_days
    )
}

fn statuses(config: &Config) -> String {
    let mut meanings = Vec::new();
    for (setting, statuses) in config.orders.statuses() {
        let meaning = setting.trim_start_matches("status_");
        let names: Vec<_> = statuses
            .iter()
            .map(|status| format!("`{status}`"))
            .collect();
        let names = match (names.is_empty(), meaning) {
            (true, "closed") => "only `Cancelled`".to_owned(),
            (true, _) => "none".to_owned(),
            (false, _) => names.join(", "),
        };
        meanings.push(format!("{meaning}: {names}"));
    }
    format!("Statuses that mean {}.", meanings.join("; "))
}

fn notifications(config: &Config) -> String {
    let Notifications {
        url,
        secrets,
        follow,
        ..
    } = &config.notifications;
    let Some(url) = url else {
        return "Notifications of payments are sent to: no one (`notify_url` is not set)."
            .to_owned();
    };
    format!(
        // The rest of the address may be a secret.
        "Notifications of payments are sent to: {}, with {} signature(s), for {} hours after the payment was created.",
        url.origin().ascii_serialization(),
        secrets.len(),
        follow.as_secs() / HOUR
    )
}

fn memory(config: &Config) -> String {
    let [orders, payments] = [config.store.order_memory.max(RETENTION), RETENTION].map(days);
    format!(
        "What is remembered, in {:?}: payments for {payments} days, orders for {orders} days after their last update.",
        config.store.database
    )
}

fn merchant(config: &Config) -> String {
    let keys = config.access.merchant_keys.len();
    let webhook = if config.access.webhook_secrets.is_empty() {
        "no webhook"
    } else {
        "a webhook for the service"
    };
    format!(
        "Who lists and cancels payments: holders of {keys} merchant key(s). There is {webhook}."
    )
}
