//! Benchmark: how many event streams a proxy can serve. The proxy runs in its own process.
//!
//! ```text
//! cargo xtask bench following [WATCHERS [PAYMENTS]]
//! ```
//!
//! The sandbox runs in this program. Memory is the proxy's resident set size. A delay is the time from a change in the
//! sandbox until the last stream has received it.

use std::error::Error;
use std::io::{BufRead, BufReader as StdBufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::{Value, json};
use tender_protocol::{Status, path};
use tender_sandbox::{Endpoint, Sandbox};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpSocket;
use tokio::time::sleep;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Connections per local address, which has at most 28,000 ports for them.
const CONNECTIONS_OF_AN_ADDRESS: usize = 5000;

/// For how long requests to the service are counted.
const COUNTED: Duration = Duration::from_secs(20);

const ROUNDS: usize = 5;

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let program = args
        .next()
        .ok_or("name the release proxy: cargo xtask bench following does")?;
    let watchers = args.next().map_or(Ok(10_000), |text| text.parse())?;
    let payments = args.next().map_or(Ok(100), |text| text.parse())?;

    // Inherited by the proxy.
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;

    let folder = tempfile::tempdir()?;
    let sandbox = Sandbox::start(tender_sandbox::Config::on_free_ports()).await?;
    let proxy = Proxy::start(&program, &sandbox, folder.path(), watchers)?;
    let bench = Bench {
        payments: create(proxy.address, payments).await?,
        received: Arc::default(),
        sandbox,
        proxy,
    };
    bench.run(watchers).await
}

struct Bench {
    sandbox: Sandbox,
    proxy: Proxy,
    payments: Vec<Payment>,
    /// Number of events received by all streams.
    received: Arc<AtomicUsize>,
}

struct Payment {
    id: String,
    receipt: String,
}

impl Bench {
    async fn run(&self, watchers: usize) -> Result<()> {
        self.watch(0).await?;
        self.until_received(1).await;
        let with_one = self.requests_a_second().await;
        let before = self.proxy.resident()?;
        let begun = Instant::now();
        for number in 1..watchers {
            self.watch(number).await?;
        }
        self.until_received(watchers).await;
        let opened = begun.elapsed();
        let with_all = self.requests_a_second().await;
        let after = self.proxy.resident()?;

        let payments = self.payments.len();
        println!("{watchers} watchers of {payments} payments, opened in {opened:.1?}");
        println!("resident memory: {before} KiB with one watcher, {after} KiB with all of them");
        let each = after.saturating_sub(before) * 1024 / watchers;
        println!("memory of a watcher: {each} bytes");
        println!(
            "requests to the service a second: {with_one:.2} with one, {with_all:.2} with all"
        );
        println!("| from the change, s | from the reading of the list, s | first to last, s |");
        println!("|--:|--:|--:|");
        for round in 0..ROUNDS {
            self.change(round, watchers).await?;
        }
        Ok(())
    }

    /// Changes every payment at once, and waits until every stream has received its change.
    async fn change(&self, round: usize, watchers: usize) -> Result<()> {
        // A random moment between two poll cycles.
        sleep(Duration::from_millis(2300)).await;
        let received = self.received.load(Ordering::Relaxed);
        let calls = self.calls();
        let status = Status::new("7", &format!("Confirming {round}")).ok_or("a status")?;
        for payment in &self.payments {
            let controls = self.sandbox.controls();
            controls.set_status(&payment.id, status.clone())?;
        }
        let changed = Instant::now();
        while self.calls() == calls {
            sleep(Duration::from_millis(1)).await;
        }
        let read = Instant::now();
        self.until_received(received + 1).await;
        let first = Instant::now();
        self.until_received(received + watchers).await;
        let seconds = |since: Instant| since.elapsed().as_secs_f64();
        let (all, net, spread) = (seconds(changed), seconds(read), seconds(first));
        println!("| {all:.2} | {net:.2} | {spread:.2} |");
        Ok(())
    }

    async fn until_received(&self, events: usize) {
        while self.received.load(Ordering::Relaxed) < events {
            sleep(Duration::from_millis(1)).await;
        }
    }

    fn calls(&self) -> u64 {
        let requests = self.sandbox.controls().state().requests;
        requests
            .get(&Endpoint::List)
            .map_or(0, |requests| requests.received)
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred requests")]
    async fn requests_a_second(&self) -> f64 {
        let before = self.calls();
        sleep(COUNTED).await;
        (self.calls() - before) as f64 / COUNTED.as_secs_f64()
    }

    /// Opens one more stream.
    async fn watch(&self, number: usize) -> Result<()> {
        let payment = self
            .payments
            .get(number % self.payments.len())
            .ok_or("a payment")?;
        let network = u8::try_from(2 + number / CONNECTIONS_OF_AN_ADDRESS)?;
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::new(127, 0, 0, network), 0).into())?;
        let mut stream = socket.connect(self.proxy.address).await?;
        let Payment { id, receipt } = payment;
        let request = format!(
            "GET {}/{id}/events?receipt={receipt} HTTP/1.1\r\nHost: proxy\r\n\r\n",
            path::PAYMENT
        );
        stream.write_all(request.as_bytes()).await?;
        let received = Arc::clone(&self.received);
        tokio::spawn(async move {
            let mut lines = BufReader::with_capacity(1024, stream).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if line.starts_with("data: ") {
                    received.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Ok(())
    }
}

/// Creates payments the way a page does.
async fn create(proxy: SocketAddr, count: usize) -> Result<Vec<Payment>> {
    let client = reqwest::Client::new();
    let mut payments = Vec::new();
    for number in 0..count {
        let body = json!({
            "token": "usdtt",
            "quantity": "25.00",
            "paymentToken": "trx",
            "invoiceNumber": format!("INV-{number}"),
        });
        let answer = client
            .post(format!("http://{proxy}{}", path::PAYMENT))
            .json(&body)
            .send()
            .await?;
        let record: Value = answer.error_for_status()?.json().await?;
        let text = |field: &str| record.get(field).and_then(Value::as_str).map(str::to_owned);
        payments.push(Payment {
            id: text("transactionId").ok_or("a transactionId")?,
            receipt: text("receipt").ok_or("a receipt")?,
        });
    }
    Ok(payments)
}

/// The proxy's process. Dropping it kills the process.
struct Proxy {
    process: Child,
    address: SocketAddr,
}

impl Proxy {
    fn start(program: &str, sandbox: &Sandbox, folder: &Path, watchers: usize) -> Result<Self> {
        let database = format!("sqlite:{}", folder.join("tender.db").display());
        let mut process = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--log-format", "json"])
            .args(["--base-url", sandbox.base_url()])
            .args(["--rates-base-url", sandbox.rates_base_url()])
            .args(["--database-url", &database])
            .args(["--max-streams", &(watchers + 1).to_string()])
            .args(["--max-connections", &(watchers + 100).to_string()])
            .args(["--max-connections-per-address", "0"])
            .args(["--max-streams-per-payment", "0"])
            .args(["--max-streams-per-address", "0"])
            .args(["--rate-limit-create", "0"])
            .arg("--allow-unsigned-orders")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let log = process.stderr.take().ok_or("no log")?;
        let mut lines = StdBufReader::new(log)
            .lines()
            .map_while(std::io::Result::ok);
        let address = lines.find_map(|line| {
            let entry: Value = serde_json::from_str(&line).ok()?;
            entry.get("address")?.as_str()?.parse().ok()
        });
        // The proxy would block if nobody read its log.
        std::thread::spawn(move || lines.for_each(drop));
        let address = address.ok_or("the proxy ended before it listened")?;
        Ok(Self { process, address })
    }

    /// Its resident memory, in KiB.
    fn resident(&self) -> Result<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        Ok(number.ok_or("no VmRSS")?.parse()?)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // If it has already exited, there is nothing to kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
