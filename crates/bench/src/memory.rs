//! The proxy's memory in a burst of forms: as many at once as the limits allow eight addresses, each with another amount, so
//! that all are rendered and compressed.

use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, Result, ensure};

use crate::figures::{Figures, Goals};
use crate::server::{self, Sandbox, Server, address};

/// Buyers' addresses.
const ADDRESSES: u32 = 8;

/// Requests in progress of an address, at most.
const PER_ADDRESS: u32 = 100;

/// The longest wait for a response, in seconds.
const TIMEOUT: u64 = 120;

/// The proxy's limit in MiB, which docs/operations.md states.
const CEILING: f64 = 256.0;

/// Measures the release build of the proxy beside another one, such as that of an earlier commit.
pub(crate) fn run(rounds: u32, other: Option<PathBuf>) -> Result<()> {
    let own = server::binary("tender-proxy")?;
    let mut proxies: Vec<_> = [own]
        .into_iter()
        .chain(other)
        .map(|proxy| (proxy, Figures::default()))
        .collect();
    for _ in 0..rounds {
        for (proxy, peaks) in &mut proxies {
            peaks.add(peak(proxy)?);
        }
    }
    println!(
        "Peak of resident memory in MiB, with {PER_ADDRESS} forms at once from each of {ADDRESSES} addresses; medians of \
         {rounds} rounds, with lowest and highest; contenders take turns.\n\n| | peak | of the first |\n|---|--:|--:|"
    );
    let first = proxies.first().map_or(CEILING, |(_, peaks)| peaks.median());
    for (proxy, peaks) in &proxies {
        let ratio = peaks.median() / first;
        println!("| {} | {peaks:.0} | {ratio:.1} |", proxy.display());
    }
    let mut goals = Goals::default();
    let goal = format!("at most {CEILING} MiB");
    goals.add("peak", goal, format!("{first:.0}"), first <= CEILING);
    print!("{goals}");
    Ok(())
}

/// Starts a proxy with a service behind it, and sends the burst. Returns the peak of the proxy's memory, in MiB.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52 KiB")]
fn peak(proxy: &Path) -> Result<f64> {
    let folder = tempfile::tempdir()?;
    let service = Sandbox::start(folder.path())?;
    let listen = address();
    let server = Server::start(
        "tender-proxy",
        service
            .proxy(proxy, &server::sqlite(folder.path()), &listen)
            // The buyers' addresses are those of the load.
            .args(["--trusted-proxies", "1"]),
        folder.path(),
        &format!("http://{listen}/healthz"),
    )?;
    thread::scope(|scope| {
        let requests: Vec<_> = (0..ADDRESSES * PER_ADDRESS)
            .map(|number| {
                let listen = &listen;
                scope.spawn(move || request_form(listen, number))
            })
            .collect();
        requests
            .into_iter()
            .try_for_each(|request| request.join().ok().context("a request panicked")?)
    })?;
    let (_, peak) = server.memory()?;
    Ok(peak as f64 / 1024.0)
}

fn request_form(listen: &str, number: u32) -> Result<()> {
    let (address, cents) = (number % ADDRESSES, number + 100);
    let (units, cents) = (cents / 100, cents % 100);
    let url = format!(
        "http://{listen}/v1/checkout.html?token=usdtt&locale=en&quantity={units}.{cents:02}"
    );
    let response = minreq::get(url)
        .with_header("X-Forwarded-For", format!("192.0.2.{address}"))
        .with_header("Accept-Encoding", "br")
        .with_timeout(TIMEOUT)
        .send()?;
    let code = response.status_code;
    ensure!(code == 200, "the proxy responded {code} to a form");
    Ok(())
}
