//! Computes the work of the main thread from a trace.

use std::ops::Range;
use std::path::Path;

use fs_err as fs;
use serde_json::Value;

use super::page::text;
use crate::error::Error;

/// Trace categories for tasks and the page's marks.
pub(super) const CATEGORIES: [&str; 3] = [
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    // The first paint.
    "loading",
];

/// Trace categories for the developer tools, which show what each task did.
pub(super) const ALL_CATEGORIES: [&str; 8] = [
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    "loading",
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

/// The moments of a load, in microseconds of the browser's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    /// The start of the document.
    start: f64,
    /// The first choice.
    pub(super) choice: f64,
    /// The last expected event: the first choice, or when the form can be submitted.
    last: f64,
    thread: (u64, u64),
}

/// The work of a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Phases {
    pub(super) before_choice: Work,
    pub(super) after_choice: Work,
    pub(super) all: Work,
}

impl Work {
    fn of(tasks: impl Iterator<Item = f64>) -> Self {
        tasks.fold(Self::default(), |work, task| Self {
            total: work.total + task,
            longest: work.longest.max(task),
            blocking: work.blocking + (task - LONG).max(0.0),
        })
    }
}

impl Moments {
    /// The moments of a page that reports them by marks. `submit` is whether it also reports when its form can be submitted.
    pub(super) fn reported(events: &[Value], submit: bool) -> Option<Self> {
        let last = if submit {
            "bench submit"
        } else {
            "bench choice"
        };
        Self::find(events, "bench start", "bench choice", last)
    }

    /// The moments of a page without scripts: the first choice is its first contentful paint.
    pub(super) fn painted(events: &[Value]) -> Option<Self> {
        let paint = "firstContentfulPaint";
        Self::find(events, "navigationStart", paint, paint)
    }

    fn find(events: &[Value], start: &str, choice: &str, last: &str) -> Option<Self> {
        let named = |name: &str| events.iter().rfind(|event| text(event, "name") == name);
        let (start, choice, last) = (named(start)?, named(choice)?, named(last)?);
        Some(Self {
            start: number(start, "ts"),
            choice: number(choice, "ts"),
            last: number(last, "ts"),
            thread: thread(choice),
        })
    }

    /// Milliseconds from the start of the document to the first choice.
    pub(super) fn to_choice(self) -> f64 {
        (self.choice - self.start) / 1000.0
    }

    /// The work until `after` milliseconds after the last expected event.
    pub(super) fn work(self, events: &[Value], after: f64) -> Phases {
        let end = self.last + after * 1000.0;
        let within = |span: Range<f64>| {
            let tasks = events.iter().filter(|event| {
                thread(event) == self.thread && TASKS.contains(&text(event, "name").as_str())
            });
            let times = tasks.map(|task| (number(task, "ts"), number(task, "dur")));
            let inside = times.filter(|(start, _)| span.contains(start));
            Work::of(inside.map(|(_, microseconds)| microseconds / 1000.0))
        };
        Phases {
            before_choice: within(self.start..self.choice),
            after_choice: within(self.choice..end),
            all: within(self.start..end),
        }
    }
}

/// Writes a trace for the developer tools, next to the screenshot of this name.
pub(super) fn keep(events: &[Value], name: &Path) -> Result<(), Error> {
    let path = name.with_extension("trace.json");
    Ok(fs::write(path, Value::from(events).to_string())?)
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
        let moments = Moments::reported(&events, false).unwrap();
        assert!((moments.to_choice() - 200.0).abs() < 1e-9);
        let before_choice = Work {
            total: 100.0,
            longest: 80.0,
            blocking: 30.0,
        };
        let expected = Phases {
            before_choice,
            after_choice: Work {
                total: 51.0,
                longest: 51.0,
                blocking: 1.0,
            },
            all: Work {
                total: 151.0,
                longest: 80.0,
                blocking: 31.0,
            },
        };
        assert_eq!(moments.work(&events, 1_000.0), expected);
        let until_submit = Phases {
            before_choice,
            after_choice: Work {
                total: 141.0,
                longest: 90.0,
                blocking: 41.0,
            },
            all: Work {
                total: 241.0,
                longest: 90.0,
                blocking: 71.0,
            },
        };
        let moments = Moments::reported(&events, true).unwrap();
        assert_eq!(moments.work(&events, 1_000.0), until_submit);
        assert_eq!(Moments::painted(&events), None);
    }

    #[test]
    fn without_scripts_the_first_choice_is_the_first_contentful_paint() {
        let events = [
            event("firstContentfulPaint", 1, 2_000.0, 0.0),
            event("navigationStart", 1, 10_000.0, 0.0),
            event("firstContentfulPaint", 1, 330_000.0, 0.0),
        ];
        let moments = Moments::painted(&events).unwrap();
        assert!((moments.to_choice() - 320.0).abs() < 1e-9);
        assert_eq!(Moments::reported(&events, false), None);
    }
}
