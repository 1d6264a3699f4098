//! The load generator: `wrk` with a script.

use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;
use serde_json::Value;

use crate::error::Error;

/// Threads of the load generator. It shares the machine's processors with the servers.
pub(crate) const THREADS: u32 = 2;

/// Open connections if there are as many requests as possible.
const CONNECTIONS: u32 = 32;

/// Open connections at a given rate. Each waits for its response before it pauses, so they are many: then the pauses are
/// longer than the responses take, and the rate is reached.
const PACED_CONNECTIONS: u32 = 512;

/// The script for `wrk`.
pub(crate) struct Load {
    script: PathBuf,
}

/// The requests of a run.
#[derive(Clone, Copy)]
pub(crate) enum Requests<'a> {
    /// `GET` of the same URL.
    Same,
    /// `GET` of URLs that end with different numbers.
    Numbered,
    /// `POST` of the bodies in this directory.
    Bodies(&'a Path),
}

/// One run of the load generator.
pub(crate) struct Run<'a> {
    pub(crate) program: &'a str,
    pub(crate) url: &'a str,
    pub(crate) requests: Requests<'a>,
    pub(crate) seconds: u32,
    /// Requests per second; `None` for as many as possible.
    pub(crate) rate: Option<f64>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    pub(crate) requests: f64,
    pub(crate) seconds: f64,
    /// Median time to the end of the response, in milliseconds.
    pub(crate) p50: f64,
    /// 99th percentile of the same time.
    pub(crate) p99: f64,
}

impl Report {
    pub(crate) fn requests_per_second(&self) -> f64 {
        self.requests / self.seconds
    }
}

impl Load {
    pub(crate) fn write(folder: &Path) -> Result<Self, Error> {
        let script = folder.join("load.lua");
        fs::write(&script, include_str!("load.lua"))?;
        Ok(Self { script })
    }

    /// # Errors
    /// [`Error::Errors`] if a request failed, because the measurement is then invalid.
    pub(crate) fn run(&self, run: &Run<'_>) -> Result<Report, Error> {
        let connections = run.rate.map_or(CONNECTIONS, |_| PACED_CONNECTIONS);
        let pause = run
            .rate
            .map_or(0.0, |rate| f64::from(connections) * 1000.0 / rate);
        let output = Command::new("wrk")
            .arg(format!("-t{THREADS}"))
            .arg(format!("-c{connections}"))
            .arg(format!("-d{}s", run.seconds))
            .arg("-s")
            .arg(&self.script)
            .arg(run.url)
            .arg("--")
            .arg(match run.requests {
                Requests::Same => Path::new("same"),
                Requests::Numbered => Path::new("numbered"),
                Requests::Bodies(folder) => folder,
            })
            .arg(pause.to_string())
            .output()
            .map_err(|source| Error::Program {
                program: "wrk".to_owned(),
                source,
            })?;
        let output_text = String::from_utf8_lossy(&output.stdout);
        let json = output_text.lines().rev().find(|line| line.starts_with('{'));
        let unreadable = || {
            Error::Report(format!(
                "{output_text}{}",
                String::from_utf8_lossy(&output.stderr)
            ))
        };
        let report: Value =
            serde_json::from_str(json.ok_or_else(unreadable)?).map_err(|_| unreadable())?;
        let number = |name: &str| report.get(name).and_then(Value::as_f64);
        let (Some(requests), Some(time), Some(p50), Some(p99)) = (
            number("requests"),
            number("microseconds"),
            number("p50"),
            number("p99"),
        ) else {
            return Err(unreadable());
        };
        let errors = report.get("errors").and_then(Value::as_u64);
        match errors.ok_or_else(unreadable)? {
            0 => {}
            errors => {
                return Err(Error::Errors {
                    program: run.program.to_owned(),
                    errors,
                });
            }
        }
        if report.get("exhausted") == Some(&Value::Bool(true)) {
            return Err(Error::Exhausted);
        }
        Ok(Report {
            requests,
            seconds: time / 1e6,
            p50: p50 / 1000.0,
            p99: p99 / 1000.0,
        })
    }
}
