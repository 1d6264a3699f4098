//! Computes the work of the main thread from a trace.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::page::text;
use crate::error::Error;

/// Trace categories for tasks and the page's marks.
pub(super) const CATEGORIES: [&str; 2] =
    ["disabled-by-default-devtools.timeline", "blink.user_timing"];

/// Trace categories for the developer tools, which show what each task did.
pub(super) const ALL_CATEGORIES: [&str; 7] = [
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    "devtools.timeline",
    "v8.execute",
    "disabled-by-default-v8.cpu_profiler",
    // Functions that are compiled lazily.
    "disabled-by-default-v8.compile",
    "v8.wasm",
];

/// The names of tasks in different versions of Chromium.
const TASKS: [&str; 2] = ["ThreadControllerImpl::RunTask", "RunTask"];

/// Tasks longer than this are long tasks (milliseconds; W3C, Long Tasks API).
const LONG: f64 = 50.0;

/// Work of the main thread in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    /// The total of all tasks.
    pub(super) total: f64,
    pub(super) longest: f64,
    /// The total of the parts over 50 ms.
    pub(super) blocking: f64,
}

/// The observed time span, in microseconds of the browser's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// The start of the document.
    pub(super) start: f64,
    /// The expected event.
    pub(super) moment: f64,
    thread: (u64, u64),
}

impl Work {
    /// The work in a span, and until `after` milliseconds later.
    pub(super) fn within(events: &[Value], span: Span, after: f64) -> Self {
        let end = span.moment + after * 1000.0;
        let tasks = events.iter().filter(|event| {
            thread(event) == span.thread && TASKS.contains(&text(event, "name").as_str())
        });
        let times = tasks.map(|task| (number(task, "ts"), number(task, "dur")));
        let inside = times.filter(|(start, _)| (span.start..end).contains(start));
        Self::of(inside.map(|(_, microseconds)| microseconds / 1000.0))
    }

    fn of(tasks: impl Iterator<Item = f64>) -> Self {
        tasks.fold(Self::default(), |work, task| Self {
            total: work.total + task,
            longest: work.longest.max(task),
            blocking: work.blocking + (task - LONG).max(0.0),
        })
    }
}

impl Span {
    /// The span from the start of the document to the mark with this name.
    pub(super) fn find(events: &[Value], mark: &str) -> Option<Self> {
        let named = |name: &str| events.iter().rfind(|event| text(event, "name") == name);
        let (start, moment) = (named("bench start")?, named(mark)?);
        Some(Self {
            start: number(start, "ts"),
            moment: number(moment, "ts"),
            thread: thread(moment),
        })
    }
}

/// Writes a trace for the developer tools, next to the screenshot of this name.
pub(super) fn keep(events: &[Value], name: &Path) -> Result<(), Error> {
    let path = name.with_extension("trace.json");
    fs::write(&path, Value::from(events).to_string()).map_err(Error::file(&path))
}

fn thread(event: &Value) -> (u64, u64) {
    let number = |name| event.get(name).and_then(Value::as_u64).unwrap_or_default();
    (number("pid"), number("tid"))
}

fn number(event: &Value, name: &str) -> f64 {
    event.get(name).and_then(Value::as_f64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(name: &str, thread: u64, ts: f64, dur: f64) -> Value {
        json!({ "name": name, "pid": 7, "tid": thread, "ts": ts, "dur": dur })
    }

    #[test]
    fn work_is_measured_on_the_main_thread_within_the_span() {
        let events = [
            // The previous page, and another thread.
            event("bench start", 1, 1_000.0, 0.0),
            event("RunTask", 1, 2_000.0, 400_000.0),
            event("bench start", 1, 500_000.0, 0.0),
            event("RunTask", 2, 510_000.0, 400_000.0),
            event("RunTask", 1, 510_000.0, 20_000.0),
            event("ThreadControllerImpl::RunTask", 1, 530_000.0, 80_000.0),
            event("ParseHTML", 1, 531_000.0, 70_000.0),
            event("bench choice", 1, 700_000.0, 0.0),
            event("RunTask", 1, 1_600_000.0, 51_000.0),
            event("RunTask", 1, 1_800_000.0, 90_000.0),
        ];
        let span = Span::find(&events, "bench choice").unwrap();
        let expected = Work {
            total: 151.0,
            longest: 80.0,
            blocking: 31.0,
        };
        assert_eq!(Work::within(&events, span, 1_000.0), expected);
        let until_then = Work {
            total: 100.0,
            longest: 80.0,
            blocking: 30.0,
        };
        assert_eq!(Work::within(&events, span, 0.0), until_then);
        assert_eq!(Span::find(&events, "bench amount"), None);
    }
}
