//! The load generator: `wrk` with a script.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

/// Threads of the load generator. It shares the machine's processors with the servers.
pub(super) const THREADS: u32 = 2;

/// Open connections if there are as many requests as possible.
const CONNECTIONS: u32 = 32;

/// Open connections at a given rate. Each waits for its response before it pauses, so they are many: then the pauses are
/// longer than the responses take, and the rate is reached.
const PACED_CONNECTIONS: u32 = 512;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/proxy/load.lua");

/// One run of the load generator.
pub(super) struct Run<'a> {
    /// In the URL and the body, `NUMBER` stands for another number each time.
    pub(super) url: &'a str,
    /// The body of all requests, or the directory of their bodies. Without it, they are `GET`.
    pub(super) body: Option<&'a str>,
    pub(super) seconds: u32,
    /// Requests per second; `None` for as many as possible.
    pub(super) rate: Option<f64>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Report {
    pub(super) requests: f64,
    seconds: f64,
    /// Median time to the end of the response, in milliseconds.
    pub(super) p50: f64,
    /// 99th percentile of the same time.
    pub(super) p99: f64,
    errors: u64,
    exhausted: bool,
}

impl Report {
    pub(super) fn requests_per_second(&self) -> f64 {
        self.requests / self.seconds
    }
}

impl Run<'_> {
    /// # Errors
    /// If a request failed, because the measurement is then invalid.
    pub(super) fn report(&self) -> Result<Report> {
        let connections = self.rate.map_or(CONNECTIONS, |_| PACED_CONNECTIONS);
        let pause = self
            .rate
            .map_or(0.0, |rate| f64::from(connections) * 1000.0 / rate);
        let output = Command::new("wrk")
            .args(["-s", SCRIPT, self.url])
            .arg(format!("-t{THREADS}"))
            .arg(format!("-c{connections}"))
            .arg(format!("-d{}s", self.seconds))
            .args(["--", &pause.to_string()])
            .args(self.body)
            .output()
            .context("can't run wrk; `cargo xtask bench` installs it")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let json = text.lines().rev().find(|line| line.starts_with('{'));
        let report: Report = json
            .and_then(|json| serde_json::from_str(json).ok())
            .with_context(|| {
                let errors = String::from_utf8_lossy(&output.stderr);
                format!("can't read the load generator's report: {text}{errors}")
            })?;
        let errors = report.errors;
        ensure!(errors == 0, "{errors} of the responses were errors");
        ensure!(
            !report.exhausted,
            "the load ran out of requests; use a shorter time"
        );
        Ok(report)
    }
}
