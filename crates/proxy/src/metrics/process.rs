//! What the kernel knows of the process, under the names that Prometheus' own libraries use.

use std::fmt;

use procfs::process;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::gauge::ConstGauge;

/// Reads `/proc` each time that the metrics are read.
#[derive(Debug)]
pub(super) struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let process = process::Process::myself().ok();
        let process = process.as_ref();
        let files = process.and_then(|process| process.fd_count().ok());
        let files = files.and_then(|files| i64::try_from(files).ok());
        let kibibytes = process.and_then(|process| process.status().ok()?.vmrss);
        let memory = kibibytes.and_then(|kibibytes| i64::try_from(kibibytes * 1024).ok());
        for (name, help, value) in [
            ("process_open_fds", "Open files and sockets", files),
            (
                "process_resident_memory_bytes",
                "Memory in use, in bytes",
                memory,
            ),
        ] {
            // What can't be read is left out.
            let Some(value) = value else { continue };
            let gauge = ConstGauge::new(value);
            let encoder = encoder.encode_descriptor(name, help, None, gauge.metric_type())?;
            gauge.encode(encoder)?;
        }
        Ok(())
    }
}
