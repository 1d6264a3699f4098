//! Computes the work of the main thread from a trace.

use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use fs_err as fs;
use serde_json::Value;

use super::chromium::{number, text};

/// Trace categories for tasks and the page's marks.
pub(super) const CATEGORIES: &[&str] = &[
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    // The first paint.
    "loading",
];

/// Trace categories for the developer tools, which show what each task did. Not the profiler, which lengthens tasks that
/// run WebAssembly for the first time.
pub(super) const ALL_CATEGORIES: &[&str] = &[
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    "loading",
    "devtools.timeline",
    "v8.execute",
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

/// The main thread's tasks during a load. Times are in microseconds of the browser's clock.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timeline {
    /// The start of the document.
    start: f64,
    /// The first choice.
    pub(super) choice: f64,
    /// How long the page is observed.
    end: f64,
    /// The start of each task, and its duration in milliseconds.
    tasks: Vec<(f64, f64)>,
}

/// The names of events: the start of the document, the first choice, and the last awaited moment.
pub(super) type Marks = [&'static str; 3];

/// Of a page that marks its first choice.
pub(super) const CHOSEN: Marks = ["bench start", "bench choice", "bench choice"];

/// Of a page that also marks when its form can be submitted.
pub(super) const READY: Marks = ["bench start", "bench choice", "bench submit"];

/// Of a page without scripts, whose first choice is its first contentful paint.
pub(super) const PAINTED: Marks = [
    "navigationStart",
    "firstContentfulPaint",
    "firstContentfulPaint",
];

impl Timeline {
    /// Until `after` milliseconds after the last of these marks.
    pub(super) fn find(events: &[Value], [start, choice, last]: Marks, after: f64) -> Option<Self> {
        let named = |name: &str| events.iter().rfind(|event| text(event, "name") == name);
        let (start, choice, last) = (named(start)?, named(choice)?, named(last)?);
        let thread = |event: &Value| (event.get("pid").cloned(), event.get("tid").cloned());
        let main = thread(choice);
        let tasks = events
            .iter()
            .filter(|event| TASKS.contains(&text(event, "name")) && thread(event) == main);
        Some(Self {
            start: number(start, "ts"),
            choice: number(choice, "ts"),
            end: number(last, "ts") + after * 1000.0,
            tasks: tasks
                .map(|task| (number(task, "ts"), number(task, "dur") / 1000.0))
                .collect(),
        })
    }

    /// Milliseconds from the start of the document to the first choice.
    pub(super) fn to_choice(&self) -> f64 {
        (self.choice - self.start) / 1000.0
    }

    pub(super) fn before_choice(&self) -> Work {
        self.work(self.start..self.choice)
    }

    pub(super) fn after_choice(&self) -> Work {
        self.work(self.choice..self.end)
    }

    pub(super) fn all(&self) -> Work {
        self.work(self.start..self.end)
    }

    /// The tasks that start in this time.
    fn work(&self, span: Range<f64>) -> Work {
        let tasks = self.tasks.iter().filter(|(start, _)| span.contains(start));
        tasks.fold(Work::default(), |work, (_, task)| Work {
            total: work.total + task,
            longest: work.longest.max(*task),
            blocking: work.blocking + (task - LONG).max(0.0),
        })
    }
}

/// Writes a trace for the developer tools, next to the screenshot of this name.
pub(super) fn keep(events: &[Value], name: &Path) -> Result<()> {
    let path = name.with_extension("trace.json");
    Ok(fs::write(path, Value::from(events).to_string())?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(name: &str, thread: u64, ts: f64, dur: f64) -> Value {
        json!({ "name": name, "pid": 7, "tid": thread, "ts": ts, "dur": dur })
    }

    fn work(total: f64, longest: f64, blocking: f64) -> Work {
        Work {
            total,
            longest,
            blocking,
        }
    }

    #[test]
    fn work_is_measured_on_the_main_thread_before_and_after_the_first_choice() {
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
            event("bench submit", 1, 1_850_000.0, 0.0),
            event("RunTask", 1, 2_900_000.0, 120_000.0),
        ];
        let timeline = Timeline::find(&events, CHOSEN, 1_000.0).unwrap();
        assert!((timeline.to_choice() - 200.0).abs() < 1e-9);
        assert_eq!(timeline.before_choice(), work(100.0, 80.0, 30.0));
        assert_eq!(timeline.after_choice(), work(51.0, 51.0, 1.0));
        assert_eq!(timeline.all(), work(151.0, 80.0, 31.0));
        let timeline = Timeline::find(&events, READY, 1_000.0).unwrap();
        assert_eq!(timeline.before_choice(), work(100.0, 80.0, 30.0));
        assert_eq!(timeline.after_choice(), work(141.0, 90.0, 41.0));
        assert_eq!(timeline.all(), work(241.0, 90.0, 71.0));
        assert_eq!(Timeline::find(&events, PAINTED, 1_000.0), None);
    }

    #[test]
    fn without_scripts_the_first_choice_is_the_first_contentful_paint() {
        let events = [
            event("firstContentfulPaint", 1, 2_000.0, 0.0),
            event("navigationStart", 1, 10_000.0, 0.0),
            event("firstContentfulPaint", 1, 330_000.0, 0.0),
        ];
        let timeline = Timeline::find(&events, PAINTED, 0.0).unwrap();
        assert!((timeline.to_choice() - 320.0).abs() < 1e-9);
        assert_eq!(Timeline::find(&events, CHOSEN, 0.0), None);
    }
}
