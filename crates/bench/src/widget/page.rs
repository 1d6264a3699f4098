//! A page in its own browser, under the conditions of a profile.

mod instruments;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chromium::{BrowserEvent, Chromium};
use super::profile::Profile;
use crate::error::Error;

pub(super) use self::instruments::Memory;

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

/// A point in the page: x and y in CSS pixels.
pub(super) type Point = (f64, f64);

/// The time of an expected event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Milliseconds since the navigation began.
    pub(super) time: f64,
    /// Milliseconds since the pointer was last pressed.
    pub(super) since_press: f64,
    /// The centre of the element that can be used then.
    pub(super) centre: Point,
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
        page.wait_for_load()?;
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

    /// Turns JavaScript off, from the next page on.
    pub(super) fn turn_scripts_off(&mut self) -> Result<(), Error> {
        let parameters = json!({ "value": true });
        self.call("Emulation.setScriptExecutionDisabled", parameters)
            .map(drop)
    }

    /// The reported event. Waits for it if it has not occurred yet.
    pub(super) fn moment(&mut self, name: &str) -> Result<Moment, Error> {
        let event = match self.reported(name) {
            Some(event) => event.clone(),
            None => self.wait_until(|event| is_report(event, name))?,
        };
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
            centre: point(&payload.get("centre").cloned().unwrap_or_default()),
        })
    }

    /// Whether the event has occurred.
    pub(super) fn has_reported(&self, name: &str) -> bool {
        self.reported(name).is_some()
    }

    fn reported(&self, name: &str) -> Option<&BrowserEvent> {
        self.log.iter().find(|event| is_report(event, name))
    }

    /// Waits until the page and what it contains are loaded.
    pub(super) fn wait_for_load(&mut self) -> Result<(), Error> {
        self.wait_until(|event| event.method == "Page.loadEventFired")
            .map(drop)
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
}

/// A point of two coordinates; the page's corner if it has none.
fn point(value: &Value) -> Point {
    let number = |index: usize| value.get(index).and_then(Value::as_f64).unwrap_or_default();
    (number(0), number(1))
}

fn is_report(event: &BrowserEvent, name: &str) -> bool {
    event.method == "Runtime.bindingCalled" && payload(event).get("name") == Some(&name.into())
}

fn payload(event: &BrowserEvent) -> Value {
    serde_json::from_str(&text(&event.params, "payload")).unwrap_or_default()
}

pub(super) fn text(value: &Value, name: &str) -> String {
    let text = value.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
