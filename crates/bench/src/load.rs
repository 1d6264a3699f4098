//! The load generator: `wrk`, with a script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::error::Error;

/// Threads of the load generator; the machine's processors are shared by everyone in the measurement.
pub(crate) const THREADS: u32 = 2;

/// Open connections: as a busy shop's buyers keep them.
const CONNECTIONS: u32 = 32;

/// A script that `wrk` can read.
pub(crate) struct Load {
    script: PathBuf,
}

/// One measurement.
pub(crate) struct Run<'a> {
    pub(crate) program: &'a str,
    pub(crate) url: &'a str,
    /// Of request bodies; `None` for `GET`.
    pub(crate) bodies: Option<&'a Path>,
    pub(crate) seconds: u32,
    /// Requests a second; `None` for as many as there can be.
    pub(crate) rate: Option<f64>,
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    pub(crate) requests_per_second: f64,
    /// Milliseconds from the request to the end of its answer, for half of them.
    pub(crate) p50: f64,
    /// The same, for all but one in a hundred.
    pub(crate) p99: f64,
}

impl Load {
    pub(crate) fn write(folder: &Path) -> Result<Self, Error> {
        let script = folder.join("load.lua");
        fs::write(&script, include_str!("load.lua")).map_err(|source| Error::File {
            path: script.clone(),
            source,
        })?;
        Ok(Self { script })
    }

    /// # Errors
    /// [`Error::Errors`] where not every answer was a success: then it is no measurement.
    pub(crate) fn run(&self, run: &Run<'_>) -> Result<Report, Error> {
        let pause = run
            .rate
            .map_or(0.0, |rate| f64::from(CONNECTIONS) * 1000.0 / rate);
        let output = Command::new("wrk")
            .arg(format!("-t{THREADS}"))
            .arg(format!("-c{CONNECTIONS}"))
            .arg(format!("-d{}s", run.seconds))
            .arg("-s")
            .arg(&self.script)
            .arg(run.url)
            .arg("--")
            .arg(run.bodies.unwrap_or(Path::new("-")))
            .arg(pause.to_string())
            .output()
            .map_err(|source| Error::Program {
                program: "wrk".to_owned(),
                source,
            })?;
        let said = String::from_utf8_lossy(&output.stdout);
        let json = said.lines().rev().find(|line| line.starts_with('{'));
        let unreadable =
            || Error::Report(format!("{said}{}", String::from_utf8_lossy(&output.stderr)));
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
            requests_per_second: requests / (time / 1e6),
            p50: p50 / 1000.0,
            p99: p99 / 1000.0,
        })
    }
}
