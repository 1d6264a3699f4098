//! A page in its own browser, under the conditions of a profile: what it reports, presses, screenshots, traces, and memory.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fs_err as fs;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chromium::{BrowserEvent, Chromium, number, text};
use super::profile::Profile;
use super::site::Site;
use super::variant::{About, Variant};

const WATCH: &str = include_str!("watch.js");

/// The function that the page calls to report an event.
const BINDING: &str = "benchReport";

/// The names of the awaited moments of a variant: the first choice, and when its form can be submitted.
pub(super) const CHOICE: &str = "choice";
pub(super) const SUBMIT: &str = "submit";

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

/// A point in the page: x and y in CSS pixels.
pub(super) type Point = (f64, f64);

/// The time of an expected event, as `watch.js` reports it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Moment {
    name: String,
    /// Milliseconds since the navigation began.
    pub(super) time: f64,
    /// Milliseconds since the pointer was last pressed.
    pub(super) since_press: f64,
    /// The centre of the element that can be used then.
    pub(super) centre: Point,
}

/// Memory of a page in bytes, after a garbage collection.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Memory {
    /// JavaScript objects and array buffers.
    heap: f64,
    /// WebAssembly memories that a script can reach, which are not part of the heap. Memories of
    /// workers are not counted; no measured page has any.
    wasm: f64,
}

impl Memory {
    pub(super) fn total(self) -> f64 {
        self.heap + self.wasm
    }
}

impl Page {
    /// Starts a browser with these additional arguments, which shows an empty page of the shop. The next page reports the
    /// awaited moments of the variant. Buyers come from another page of the shop, so the start of the browser process is
    /// not measured.
    pub(super) fn open(
        site: &Site,
        profile: Profile,
        variant: Variant,
        arguments: &[&str],
    ) -> Result<Self> {
        let mut chromium = Chromium::start(arguments)?;
        let targets = chromium.call(None, "Target.getTargets", json!({}))?;
        let pages = targets.get("targetInfos").and_then(Value::as_array);
        let mut pages = pages.into_iter().flatten();
        let page = pages.find(|target| text(target, "type") == "page");
        let id = page.map(|page| text(page, "targetId"));
        let attach = json!({ "targetId": id, "flatten": true });
        let attached = chromium.call(None, "Target.attachToTarget", attach)?;
        let mut page = Self {
            chromium,
            session: text(&attached, "sessionId").to_owned(),
            profile,
            log: Vec::new(),
            workers: Vec::new(),
        };
        page.call("Page.enable", json!({}))?;
        page.go(&site.empty_page())?;
        page.wait_for_load()?;
        page.sleep(Duration::from_millis(300))?;
        page.call("Runtime.enable", json!({}))?;
        page.call("Runtime.addBinding", json!({ "name": BINDING }))?;
        page.run_from_start(WATCH)?;
        page.condition(&page.session.clone())?;
        let About { choice, submit, .. } = variant.about();
        for (name, selector) in [(CHOICE, choice), (SUBMIT, submit)] {
            if let Some(selector) = selector {
                page.watch(name, selector)?;
            }
        }
        page.log.clear();
        Ok(page)
    }

    /// Applies the profile's conditions to a session, and to the sessions that it starts.
    fn condition(&mut self, session: &str) -> Result<()> {
        let session = Some(session);
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

    fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.chromium.call(Some(&self.session), method, params)
    }

    /// Starts a navigation.
    pub(super) fn go(&mut self, url: &str) -> Result<()> {
        self.call("Page.navigate", json!({ "url": url })).map(drop)
    }

    /// Evaluates an expression and awaits its value.
    pub(super) fn evaluate<T: for<'a> Deserialize<'a>>(&mut self, expression: &str) -> Result<T> {
        let parameters = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true,
        });
        let answer = self.call("Runtime.evaluate", parameters)?;
        ensure!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        let value = answer.pointer("/result/value").cloned().unwrap_or_default();
        serde_json::from_value(value).with_context(|| format!("{expression}: {answer}"))
    }

    /// Runs a script in the next pages, before their own.
    fn run_from_start(&mut self, source: &str) -> Result<()> {
        let script = json!({ "source": source });
        self.call("Page.addScriptToEvaluateOnNewDocument", script)
            .map(drop)
    }

    /// Reports, from the next page on, when an element can be used.
    pub(super) fn watch(&mut self, name: &str, selector: &str) -> Result<()> {
        self.run_from_start(&format!(
            "bench.watch({}, {})",
            json!(name),
            json!(selector)
        ))
    }

    /// Turns JavaScript off, from the next page on.
    pub(super) fn turn_scripts_off(&mut self) -> Result<()> {
        let parameters = json!({ "value": true });
        self.call("Emulation.setScriptExecutionDisabled", parameters)
            .map(drop)
    }

    /// The reported event. Waits for it if it has not occurred yet.
    pub(super) fn moment(&mut self, name: &str) -> Result<Moment> {
        self.wait_for(|event| report(event, name))
    }

    /// Whether the event has occurred.
    pub(super) fn has_reported(&self, name: &str) -> bool {
        self.log.iter().any(|event| report(event, name).is_some())
    }

    /// Waits until the page and what it contains are loaded.
    pub(super) fn wait_for_load(&mut self) -> Result<()> {
        self.wait_for(|event| (event.method == "Page.loadEventFired").then_some(()))
    }

    /// What `find` returns for an event that has occurred, or for the first one that occurs.
    fn wait_for<T>(&mut self, find: impl Fn(&BrowserEvent) -> Option<T>) -> Result<T> {
        let deadline = Instant::now() + LIMIT;
        let mut found = self.log.iter().find_map(&find);
        loop {
            if let Some(found) = found {
                return Ok(found);
            }
            let event = self.next(deadline)?;
            found = find(event.context("an expected event did not occur in time")?);
        }
    }

    /// Waits for this long.
    pub(super) fn sleep(&mut self, time: Duration) -> Result<()> {
        let deadline = Instant::now() + time;
        while self.next(deadline)?.is_some() {}
        Ok(())
    }

    fn next(&mut self, deadline: Instant) -> Result<Option<&BrowserEvent>> {
        let Some(event) = self.chromium.next_event(deadline)? else {
            return Ok(None);
        };
        let session = text(&event.params, "sessionId");
        // The page is in the list too, but it is not a worker and is counted once.
        if event.method == "Target.attachedToTarget" && session != self.session {
            self.condition(session)?;
            let resume = "Runtime.runIfWaitingForDebugger";
            self.chromium.call(Some(session), resume, json!({}))?;
            self.workers.push(session.to_owned());
        }
        self.log.push(event);
        Ok(self.log.last())
    }

    /// Presses the element of a selector, as a buyer would.
    pub(super) fn press(&mut self, selector: &str) -> Result<()> {
        let centre = self.evaluate(&format!("bench.centre({})", json!(selector)))?;
        self.press_at(centre)
    }

    /// The centres of the visible elements of a selector that share a root.
    pub(super) fn centres(&mut self, selector: &str) -> Result<Vec<Point>> {
        let centres: Vec<Option<Point>> =
            self.evaluate(&format!("bench.centres({})", json!(selector)))?;
        Ok(centres.into_iter().flatten().collect())
    }

    /// Presses a point. Unlike [`Self::press`], this doesn't wait for the page first.
    pub(super) fn press_at(&mut self, (x, y): Point) -> Result<()> {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Takes a screenshot.
    pub(super) fn picture(&mut self, path: &Path) -> Result<()> {
        let picture = self.call("Page.captureScreenshot", json!({}))?;
        Ok(fs::write(path, STANDARD.decode(text(&picture, "data"))?)?)
    }

    /// Starts a trace.
    pub(super) fn record(&mut self, categories: &[&str]) -> Result<()> {
        let config = json!({
            "traceConfig": { "includedCategories": categories, "recordMode": "recordUntilFull" },
            "transferMode": "ReportEvents",
        });
        self.call("Tracing.start", config).map(drop)
    }

    /// Ends the trace and returns its events.
    pub(super) fn recorded(&mut self) -> Result<Vec<Value>> {
        self.call("Tracing.end", json!({}))?;
        self.wait_for(|event| (event.method == "Tracing.tracingComplete").then_some(()))?;
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
    pub(super) fn memory(&mut self) -> Result<Memory> {
        let mut memory = Memory::default();
        for session in [&self.session].into_iter().chain(&self.workers) {
            let mut call = |method| self.chromium.call(Some(session), method, json!({}));
            // Finalizers of the first collection release objects that the second one collects.
            for _ in 0..2 {
                call("HeapProfiler.collectGarbage")?;
                thread::sleep(Duration::from_millis(50));
            }
            let heap = call("Runtime.getHeapUsage")?;
            memory.heap += number(&heap, "usedSize") + number(&heap, "backingStorageSize");
        }
        // Without JavaScript, there is no script that counts them, and none that makes them.
        let wasm: Option<f64> = self.evaluate("globalThis.bench?.wasmBytes()")?;
        memory.wasm = wasm.unwrap_or_default();
        Ok(memory)
    }
}

/// What the page reports with this event, if it has this name.
fn report(event: &BrowserEvent, name: &str) -> Option<Moment> {
    if event.method != "Runtime.bindingCalled" {
        return None;
    }
    let moment: Moment = serde_json::from_str(text(&event.params, "payload")).ok()?;
    (moment.name == name).then_some(moment)
}
