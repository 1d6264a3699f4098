//! Tests of `tender-proxy payments` with the real program, a proxy and the sandbox.

mod cancel;
mod exit;
mod list;
mod pages;
mod settle;
mod show;

use std::process::Command;

use serde_json::{Value, json};
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Sandbox};

use crate::done::Done;
use crate::support::{Program, command, sandbox, with_sandbox};

pub(crate) const KEY: &str = "a-merchant-key-of-the-tests-32-characters-or-more";

/// The sandbox, a proxy in front of it, and a merchant at the command line.
struct World {
    sandbox: Sandbox,
    proxy: Program,
}

impl World {
    async fn new() -> Self {
        Self::with(&[]).await
    }

    /// Starts with additional settings of the proxy.
    async fn with(settings: &[&str]) -> Self {
        let sandbox = sandbox().await;
        let proxy = start(&sandbox, settings);
        Self { sandbox, proxy }
    }

    /// The command with the merchant key.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.keyless(arguments);
        command.env("TENDER_MERCHANT_KEY", KEY);
        command
    }

    fn keyless(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.arg("payments").args(arguments);
        command.env("TENDER_PROXY", self.proxy.url(""));
        command
    }

    fn run(&self, arguments: &[&str]) -> Done {
        Done::of(&mut self.command(arguments))
    }

    /// Runs the command in a terminal of this width, with this input.
    fn at_terminal(&self, arguments: &[&str], columns: u16, typed: &str) -> Done {
        Done::at_terminal(self.command(arguments), columns, typed)
    }

    /// Creates a payment through the proxy and returns its transactionId.
    async fn pay(&self, fields: Value) -> String {
        create(&self.proxy.url(path::PAYMENT), "25.00".into(), fields).await
    }

    /// Creates a payment at the payment service, as another program of the merchant may do: with an
    /// invoice number that the proxy refuses, for example.
    async fn pay_at_service(&self, fields: Value) -> String {
        let url = format!("{}{}", self.sandbox.base_url(), path::PAYMENT);
        create(&url, 25.into(), fields).await
    }

    /// Creates payments, the newest last.
    async fn pay_often(&self, count: usize) -> Vec<String> {
        let mut ids = Vec::new();
        for number in 0..count {
            let invoice = format!("INV-{number}");
            ids.push(self.pay(json!({ "invoiceNumber": invoice })).await);
        }
        ids
    }

    /// How many calls to an endpoint the service got.
    fn calls(&self, endpoint: Endpoint) -> u64 {
        let requests = self.sandbox.controls().state().requests;
        requests.get(&endpoint).map_or(0, |calls| calls.received)
    }

    fn inject(&self, fault: Fault) {
        self.sandbox.controls().inject(fault);
    }

    fn status_of(&self, id: &str) -> String {
        let entry = self.sandbox.controls().payment(id).unwrap();
        entry.payment.status.text().to_owned()
    }
}

/// Starts the proxy with these settings; its database is in memory if they name none.
pub(crate) fn start(sandbox: &Sandbox, settings: &[&str]) -> Program {
    let mut command = with_sandbox(sandbox, &["--allow-unsigned-orders"]);
    if !settings.contains(&"--database-url") {
        command.args(["--database-url", "sqlite::memory:"]);
    }
    // Only the merchant reads the list, and every fault is visible.
    command.args(["--poll-seconds", "3600", "--upstream-retries", "0"]);
    command.args(["--rate-limit-create", "0"]).args(settings);
    command.env("TENDER_MERCHANT_KEY", KEY);
    Program::start(command)
}

/// Creates a payment and returns its transactionId.
pub(crate) async fn create(url: &str, quantity: Value, fields: Value) -> String {
    let mut body = json!({
        "token": "usdtt",
        "quantity": quantity,
        "paymentToken": "trx",
        "invoiceNumber": "INV-1",
    });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    let request = reqwest::Client::new().post(url).json(&body);
    let record: Value = request.send().await.unwrap().json().await.unwrap();
    record["transactionId"].as_str().unwrap().to_owned()
}
