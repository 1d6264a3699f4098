//! How many event streams a proxy can serve.
//!
//! Memory is the proxy's resident set size. A delay is the time from a change in the sandbox until the last stream has
//! received it.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use crate::figures::Figures;
use crate::orders::Signer;
use crate::server::{self, Sandbox, Server, address};

/// Connections per local address, which has at most 28,000 ports for them.
const CONNECTIONS_OF_AN_ADDRESS: u32 = 5000;

/// For how long requests to the service are counted.
const COUNTED: Duration = Duration::from_secs(20);

const ROUNDS: u32 = 5;

/// The path at which payments are created, and below which they are watched.
const PAYMENT: &str = "/api/v1/payment";

struct Bench {
    sandbox: Sandbox,
    /// The address of the proxy.
    listen: String,
    payments: Vec<Payment>,
    runtime: Runtime,
    /// Number of events received by all streams.
    received: Arc<AtomicU32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    transaction_id: String,
    receipt: String,
}

pub(crate) fn run(watchers: u32, payments: u32) -> Result<()> {
    // Inherited by the proxy.
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;

    let folder = tempfile::tempdir()?;
    let sandbox = Sandbox::start(folder.path())?;
    let listen = address();
    let proxy = Server::start(
        "tender-proxy",
        sandbox
            .proxy(
                &server::binary("tender-proxy")?,
                &server::sqlite(folder.path()),
                &listen,
            )
            .args(["--max-streams", &(watchers + 1).to_string()])
            .args(["--max-connections", &(watchers + 100).to_string()])
            .args(["--max-connections-per-address", "0"])
            .args(["--max-streams-per-payment", "0"])
            .args(["--max-streams-per-address", "0"]),
        folder.path(),
        &format!("http://{listen}/healthz"),
    )?;
    let bench = Bench {
        payments: create(&listen, payments)?,
        received: Arc::default(),
        runtime: Runtime::new()?,
        sandbox,
        listen,
    };

    bench.watch(0)?;
    bench.wait_for(1);
    let with_one = bench.requests_per_second()?;
    let (before, _) = proxy.memory()?;
    let start = Instant::now();
    for number in 1..watchers {
        bench.watch(number)?;
    }
    bench.wait_for(watchers);
    let opened = start.elapsed();
    let with_all = bench.requests_per_second()?;
    let (after, _) = proxy.memory()?;
    let each = after.saturating_sub(before) * 1024 / u64::from(watchers);
    let mut delays = Figures::default();
    for round in 0..ROUNDS {
        delays.add(bench.change(round, watchers)?);
    }
    println!(
        "{watchers} watchers of {payments} payments, opened in {opened:.1?}\n\
         resident memory: {before} KiB with one watcher, {after} KiB with all of them\n\
         memory of a watcher: {each} bytes\n\
         requests to the service a second: {with_one:.2} with one, {with_all:.2} with all\n\
         seconds from a change of all payments to the last stream: {delays:.2}"
    );
    Ok(())
}

impl Bench {
    /// Opens one more stream.
    fn watch(&self, number: u32) -> Result<()> {
        let payment = self.payments.get(number as usize % self.payments.len());
        let Payment {
            transaction_id,
            receipt,
        } = payment.context("there are no payments")?;
        let request = format!(
            "GET {PAYMENT}/{transaction_id}/events?receipt={receipt} HTTP/1.1\r\nHost: proxy\r\n\r\n"
        );
        let network = u8::try_from(2 + number / CONNECTIONS_OF_AN_ADDRESS)?;
        let received = Arc::clone(&self.received);
        self.runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((Ipv4Addr::new(127, 0, 0, network), 0).into())?;
            let mut stream = socket.connect(self.listen.parse()?).await?;
            stream.write_all(request.as_bytes()).await?;
            tokio::spawn(async move {
                let mut lines = BufReader::with_capacity(1024, stream).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    if line.starts_with("data: ") {
                        received.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
            Ok(())
        })
    }

    /// Changes every payment at once. Returns the seconds until every stream has received its change.
    fn change(&self, round: u32, watchers: u32) -> Result<f64> {
        // A random moment between two poll cycles.
        sleep(Duration::from_millis(2300));
        let received = self.received.load(Ordering::Relaxed);
        let status = json!({ "statusId": "7", "statusText": format!("Confirming {round}") });
        for Payment { transaction_id, .. } in &self.payments {
            let path = format!("/sandbox/payments/{transaction_id}/status");
            let url = format!("http://{}{path}", self.sandbox.payments);
            let response = minreq::put(url)
                .with_header("content-type", "application/json")
                .with_body(status.to_string())
                .send()?;
            let code = response.status_code;
            ensure!(code == 200, "the sandbox responded {code} to {path}");
        }
        let start = Instant::now();
        self.wait_for(received + watchers);
        Ok(start.elapsed().as_secs_f64())
    }

    fn wait_for(&self, events: u32) {
        while self.received.load(Ordering::Relaxed) < events {
            sleep(Duration::from_millis(1));
        }
    }

    fn requests_per_second(&self) -> Result<f64> {
        let before = self.requests()?;
        sleep(COUNTED);
        Ok((self.requests()? - before) / COUNTED.as_secs_f64())
    }

    /// How often the service has listed its payments.
    fn requests(&self) -> Result<f64> {
        let url = format!("http://{}/sandbox/state", self.sandbox.payments);
        let state: Value = serde_json::from_slice(minreq::get(url).send()?.as_bytes())?;
        let requests = state.pointer("/requests/list/received");
        Ok(requests.and_then(Value::as_f64).unwrap_or_default())
    }
}

fn create(listen: &str, count: u32) -> Result<Vec<Payment>> {
    let signer = Signer::new();
    let create = |number| {
        let response = minreq::post(format!("http://{listen}{PAYMENT}"))
            .with_header("content-type", "application/json")
            .with_body(signer.create(&format!("INV-{number}"))?)
            .send()?;
        let payment = serde_json::from_slice(response.as_bytes());
        payment.with_context(|| format!("{listen} created no payment"))
    };
    (0..count).map(create).collect()
}
