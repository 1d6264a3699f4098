//! What a page is operated and measured with: presses, screenshots, traces, and its memory.

use std::path::Path;
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fs_err as fs;
use serde_json::{Value, json};

use super::{Page, Point, point, text};
use crate::error::Error;

/// Memory of a page in bytes, after a garbage collection.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::widget) struct Memory {
    /// JavaScript objects and array buffers.
    pub(in crate::widget) heap: f64,
    /// WebAssembly memories that a script can reach, which are not part of the heap. Memories of
    /// workers are not counted; no measured page has any.
    pub(in crate::widget) wasm: f64,
}

impl Memory {
    pub(in crate::widget) fn total(self) -> f64 {
        self.heap + self.wasm
    }
}

impl Page {
    /// Presses the element of a selector, as a buyer would.
    pub(in crate::widget) fn press(&mut self, selector: &str) -> Result<(), Error> {
        let centre = self.evaluate(&format!("bench.centre({})", json!(selector)))?;
        self.press_at(point(&centre))
    }

    /// The centres of the elements of a selector that share a root.
    pub(in crate::widget) fn centres(&mut self, selector: &str) -> Result<Vec<Point>, Error> {
        let centres = self.evaluate(&format!("bench.centres({})", json!(selector)))?;
        Ok(centres
            .as_array()
            .into_iter()
            .flatten()
            .map(point)
            .collect())
    }

    /// Presses a point. Unlike [`Self::press`], this doesn't wait for the page first.
    pub(in crate::widget) fn press_at(&mut self, (x, y): Point) -> Result<(), Error> {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Takes a screenshot.
    pub(in crate::widget) fn picture(&mut self, path: &Path) -> Result<(), Error> {
        let picture = self.call("Page.captureScreenshot", json!({}))?;
        let bytes = STANDARD.decode(text(&picture, "data")).unwrap_or_default();
        Ok(fs::write(path, bytes)?)
    }

    /// Starts a trace.
    pub(in crate::widget) fn record(&mut self, categories: &[&str]) -> Result<(), Error> {
        let config = json!({
            "traceConfig": { "includedCategories": categories, "recordMode": "recordUntilFull" },
            "transferMode": "ReportEvents",
        });
        self.call("Tracing.start", config).map(drop)
    }

    /// Ends the trace and returns its events.
    pub(in crate::widget) fn recorded(&mut self) -> Result<Vec<Value>, Error> {
        self.call("Tracing.end", json!({}))?;
        self.wait_until(|event| event.method == "Tracing.tracingComplete")?;
        let mut events = Vec::new();
        self.log.retain_mut(|event| {
            let is_data = event.method == "Tracing.dataCollected";
            if let (true, Some(Value::Array(values))) = (is_data, event.params.get_mut("value")) {
                events.append(values);
            }
            !is_data
        });
        Ok(events)
    }

    /// The memory of the page and its workers, after a garbage collection.
    pub(in crate::widget) fn memory(&mut self) -> Result<Memory, Error> {
        let mut memory = Memory::default();
        for session in [self.session.clone()].iter().chain(&self.workers.clone()) {
            // Finalizers of the first collection release objects that the second one collects.
            for _ in 0..2 {
                self.chromium
                    .call(session, "HeapProfiler.collectGarbage", json!({}))?;
                thread::sleep(Duration::from_millis(50));
            }
            let heap = self
                .chromium
                .call(session, "Runtime.getHeapUsage", json!({}))?;
            for field in ["usedSize", "backingStorageSize"] {
                memory.heap += heap.get(field).and_then(Value::as_f64).unwrap_or_default();
            }
        }
        // Without JavaScript, there is no script that counts them, and none that makes them.
        let wasm = self.evaluate("globalThis.bench?.wasmBytes()")?;
        memory.wasm = wasm.as_f64().unwrap_or_default();
        Ok(memory)
    }
}
