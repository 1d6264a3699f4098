//! A page in its own browser, under the conditions of a profile.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::chromium::{BrowserEvent, Chromium};
use super::profile::Profile;
use crate::error::Error;

const WATCH: &str = include_str!("watch.js");

/// The function that the page calls to report an event.
const BINDING: &str = "benchReport";

/// Timeout for an expected event.
const LIMIT: Duration = Duration::from_mins(2);

/// A page and the events that the browser has sent about it.
pub(super) struct Page {
    chromium: Chromium,
    session: String,
    profile: Profile,
    /// All events in order: of the page, its frames and its workers.
    pub(super) log: Vec<BrowserEvent>,
    /// The sessions of frames and workers in other processes or threads.
    workers: Vec<String>,
}

/// The time of an expected event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Milliseconds since the navigation began.
    pub(super) time: f64,
    /// Milliseconds since the pointer was pressed.
    pub(super) since_press: f64,
}

/// Memory of a page in bytes, after a garbage collection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// JavaScript objects and array buffers.
    pub(super) heap: f64,
    /// WebAssembly memories that a script can reach, which are not part of the heap. Memories of
    /// workers are not counted; no measured page has any.
    pub(super) wasm: f64,
}

impl Memory {
    pub(super) fn total(self) -> f64 {
        self.heap + self.wasm
    }
}

impl Page {
    /// Starts a browser that shows `warm`, an empty page of the same shop. Buyers come from another
    /// page of the shop, so the start of the browser process is not measured.
    pub(super) fn open(profile: Profile, warm: &str) -> Result<Self, Error> {
        Self::open_in(Chromium::start(&[])?, profile, warm)
    }

    /// The same with a given browser.
    pub(super) fn open_in(
        mut chromium: Chromium,
        profile: Profile,
        warm: &str,
    ) -> Result<Self, Error> {
        let targets = chromium.call("", "Target.getTargets", json!({}))?;
        let pages = targets.get("targetInfos").and_then(Value::as_array);
        let page = pages
            .into_iter()
            .flatten()
            .find(|target| target.get("type").and_then(Value::as_str) == Some("page"));
        let id = page.and_then(|page| page.get("targetId"));
        let attach = json!({ "targetId": id, "flatten": true });
        let attached = chromium.call("", "Target.attachToTarget", attach)?;
        let session = text(&attached, "sessionId");
        let mut page = Self {
            chromium,
            session,
            profile: Profile::Plain,
            log: Vec::new(),
            workers: Vec::new(),
        };
        page.call("Page.enable", json!({}))?;
        page.go(warm)?;
        page.wait_until(|event| event.method == "Page.loadEventFired")?;
        page.sleep(Duration::from_millis(300))?;
        page.profile = profile;
        page.call("Runtime.enable", json!({}))?;
        page.call("Runtime.addBinding", json!({ "name": BINDING }))?;
        let watch = json!({ "source": WATCH });
        page.call("Page.addScriptToEvaluateOnNewDocument", watch)?;
        page.condition(&page.session.clone())?;
        page.log.clear();
        Ok(page)
    }

    /// Applies the profile's conditions to a session, and to the sessions that it starts.
    fn condition(&mut self, session: &str) -> Result<(), Error> {
        let chromium = &mut self.chromium;
        chromium.call(session, "Network.enable", json!({}))?;
        if let Some((latency, throughput)) = self.profile.network() {
            let conditions = json!({
                "offline": false, "latency": latency,
                "downloadThroughput": throughput, "uploadThroughput": throughput,
            });
            chromium.call(session, "Network.emulateNetworkConditions", conditions)?;
        }
        let rate = json!({ "rate": self.profile.slowdown() });
        // Workers don't support this command, so their threads are not throttled in any variant.
        let _ = chromium.call(session, "Emulation.setCPUThrottlingRate", rate);
        let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        chromium.call(session, "Target.setAutoAttach", attach)?;
        Ok(())
    }

    pub(super) fn call(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        self.chromium.call(&self.session, method, params)
    }

    /// Starts a navigation.
    pub(super) fn go(&mut self, url: &str) -> Result<(), Error> {
        self.call("Page.navigate", json!({ "url": url })).map(drop)
    }

    /// Evaluates an expression and awaits its value.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, Error> {
        let parameters = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true,
        });
        let answer = self.call("Runtime.evaluate", parameters)?;
        if let Some(exception) = answer.get("exceptionDetails") {
            return Err(Error::Browser(format!("{expression}: {exception}")));
        }
        Ok(answer.pointer("/result/value").cloned().unwrap_or_default())
    }

    /// Reports, from the next page on, when an element can be used.
    pub(super) fn watch_from_start(&mut self, name: &str, selector: &str) -> Result<(), Error> {
        let source = format!("bench.watch({}, {})", json!(name), json!(selector));
        let script = json!({ "source": source });
        self.call("Page.addScriptToEvaluateOnNewDocument", script)
            .map(drop)
    }

    /// Reports when an element can be used.
    pub(super) fn watch(&mut self, name: &str, selector: &str) -> Result<(), Error> {
        let script = format!("bench.watch({}, {})", json!(name), json!(selector));
        self.evaluate(&script).map(drop)
    }

    /// Waits for the reported event.
    pub(super) fn moment(&mut self, name: &str) -> Result<Moment, Error> {
        let event = self.wait_until(|event| {
            event.method == "Runtime.bindingCalled"
                && payload(event).get("name") == Some(&name.into())
        })?;
        let payload = payload(&event);
        let number = |name: &str| {
            payload
                .get(name)
                .and_then(Value::as_f64)
                .unwrap_or_default()
        };
        Ok(Moment {
            time: number("time"),
            since_press: number("sincePress"),
        })
    }

    fn wait_until(&mut self, is_it: impl Fn(&BrowserEvent) -> bool) -> Result<BrowserEvent, Error> {
        let deadline = Instant::now() + LIMIT;
        loop {
            match self.next(deadline)? {
                Some(event) if is_it(&event) => return Ok(event),
                Some(_) => {}
                None => {
                    return Err(Error::Browser(
                        "an expected event did not occur in time".to_owned(),
                    ));
                }
            }
        }
    }

    /// Waits for this long.
    pub(super) fn sleep(&mut self, time: Duration) -> Result<(), Error> {
        let deadline = Instant::now() + time;
        while self.next(deadline)?.is_some() {}
        Ok(())
    }

    fn next(&mut self, deadline: Instant) -> Result<Option<BrowserEvent>, Error> {
        let Some(event) = self.chromium.next_event(deadline)? else {
            return Ok(None);
        };
        let attached = (event.method == "Target.attachedToTarget")
            .then(|| text(&event.params, "sessionId"))
            // The page is in the list too, but it is not a worker and is counted once.
            .filter(|session| *session != self.session);
        if let Some(session) = attached {
            self.condition(&session)?;
            self.chromium
                .call(&session, "Runtime.runIfWaitingForDebugger", json!({}))?;
            self.workers.push(session);
        }
        self.log.push(event.clone());
        Ok(Some(event))
    }

    /// Presses the element of a selector, as a buyer would.
    pub(super) fn press(&mut self, selector: &str) -> Result<(), Error> {
        let centre = self.evaluate(&format!("bench.centre({})", json!(selector)))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": centre.get(0), "y": centre.get(1),
                "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Takes a screenshot.
    pub(super) fn picture(&mut self, path: &Path) -> Result<(), Error> {
        let picture = self.call("Page.captureScreenshot", json!({}))?;
        let bytes = STANDARD.decode(text(&picture, "data")).unwrap_or_default();
        fs::write(path, bytes).map_err(|source| Error::File {
            path: path.to_owned(),
            source,
        })
    }

    /// Starts a trace.
    pub(super) fn record(&mut self, categories: &[&str]) -> Result<(), Error> {
        let config = json!({
            "traceConfig": { "includedCategories": categories, "recordMode": "recordUntilFull" },
            "transferMode": "ReportEvents",
        });
        self.call("Tracing.start", config).map(drop)
    }

    /// Ends the trace and returns its events.
    pub(super) fn recorded(&mut self) -> Result<Vec<Value>, Error> {
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
    pub(super) fn memory(&mut self) -> Result<Memory, Error> {
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
        let wasm = self.evaluate("bench.wasmBytes()")?;
        memory.wasm = wasm.as_f64().unwrap_or_default();
        Ok(memory)
    }
}

fn payload(event: &BrowserEvent) -> Value {
    serde_json::from_str(&text(&event.params, "payload")).unwrap_or_default()
}

pub(super) fn text(value: &Value, name: &str) -> String {
    let text = value.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
