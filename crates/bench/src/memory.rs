//! The proxy's memory in a burst of forms: as many at once as the limits allow eight addresses, each with another amount, so
//! that all are rendered and compressed.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;
use crate::figures::Figures;
use crate::server::{self, Server, address};

/// Buyers' addresses.
const ADDRESSES: u32 = 8;

/// Requests in progress of an address, at most.
const PER_ADDRESS: u32 = 100;

/// The longest wait for a response.
const PATIENCE: Duration = Duration::from_mins(2);

/// The proxy's limit, which docs/operations.md states.
const CEILING: f64 = 256.0;

/// Measures the release build of the proxy beside another one, such as that of an earlier commit.
pub(crate) fn run(rounds: u32, other: Option<String>) -> Result<(), Error> {
    let binaries = server::binaries()?;
    let own = binaries.join("tender-proxy");
    let proxies: Vec<PathBuf> = [own].into_iter().chain(other.map(PathBuf::from)).collect();
    let mut peaks = vec![Figures::default(); proxies.len()];
    for _ in 0..rounds {
        for (proxy, peaks) in proxies.iter().zip(&mut peaks) {
            peaks.add(peak(&binaries, proxy)?);
        }
    }
    println!(
        "Peak of resident memory in MiB, with {PER_ADDRESS} forms at once from each of {ADDRESSES} addresses; medians of \
         {rounds} rounds, with lowest and highest; contenders take turns.\n\n| | peak | of the first |\n|---|--:|--:|"
    );
    let first = peaks.first().map_or(CEILING, Figures::median);
    for (proxy, peaks) in proxies.iter().zip(&peaks) {
        let ratio = peaks.median() / first;
        println!("| {} | {peaks:.0} | {ratio:.1} |", proxy.display());
    }
    let verdict = if first <= CEILING { "met" } else { "missed" };
    println!("\nAt most {CEILING} MiB: {verdict}");
    Ok(())
}

/// Starts a proxy with a service behind it, and sends the burst. Returns the peak of the proxy's memory, in MiB.
fn peak(binaries: &Path, proxy: &Path) -> Result<f64, Error> {
    let folder = tempfile::tempdir()?;
    let (payments, rates, listen) = (address()?, address()?, address()?);
    let _service = server::sandbox(binaries, folder.path(), &payments, &rates)?;
    let server = Server::start(
        "tender-proxy",
        // The buyers' addresses are those of the load.
        server::proxy(
            proxy,
            &server::sqlite(folder.path()),
            &listen,
            &payments,
            &rates,
        )
        .args(["--trusted-proxies", "1"]),
        folder.path(),
        &format!("http://{listen}/healthz"),
    )?;
    burst(&listen)?;
    server.peak_memory()
}

/// Sends all requests, then reads the responses.
fn burst(listen: &str) -> Result<(), Error> {
    let failed = |answer: String| Error::Wrong {
        program: "tender-proxy".to_owned(),
        url: format!("http://{listen}"),
        answer,
    };
    let mut streams = Vec::new();
    for request in 0..ADDRESSES * PER_ADDRESS {
        let (address, cents) = (request % ADDRESSES, request + 100);
        let (units, cents) = (cents / 100, cents % 100);
        let head = format!(
            "GET /v1/checkout.html?token=usdtt&locale=en&quantity={units}.{cents:02} HTTP/1.1\r\nHost: {listen}\r\n\
             X-Forwarded-For: 192.0.2.{address}\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n"
        );
        let sent = TcpStream::connect(listen).and_then(|mut stream| {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(head.as_bytes())?;
            Ok(stream)
        });
        streams.push(sent.map_err(|error| failed(error.to_string()))?);
    }
    for mut stream in streams {
        let mut response = Vec::new();
        let read = stream.read_to_end(&mut response);
        read.map_err(|error| failed(error.to_string()))?;
        if !response.starts_with(b"HTTP/1.1 200 ") {
            return Err(failed(String::from_utf8_lossy(&response).into_owned()));
        }
    }
    Ok(())
}
