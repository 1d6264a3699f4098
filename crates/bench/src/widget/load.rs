//! One page load: up to the first choice, and until the form can be submitted.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::network::{self, Request};
use super::page::{CHOICE, Memory, Page, SUBMIT};
use super::profile::Profile;
use super::site::Site;
use super::trace::{self, ALL_CATEGORIES, CATEGORIES, CHOSEN, PAINTED, READY, Timeline};
use super::variant::Variant;

/// How long the page is observed after the last awaited moment (milliseconds), because deferred work also
/// delays a buyer.
const AFTER: u16 = 1000;

/// The measurements of a load.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Load {
    /// Milliseconds from the navigation until the first choice is painted and usable.
    pub(super) choice: f64,
    /// Milliseconds from the navigation until the form can be submitted, if the first view has one.
    pub(super) submit: Option<f64>,
    /// Transferred bytes of the response bodies until the first choice.
    pub(super) bytes: f64,
    /// Number of responses until then.
    pub(super) requests: usize,
    /// Blocking time of the main thread in milliseconds, until the first choice.
    pub(super) blocking_before: f64,
    /// The longest task in milliseconds, from the first choice on.
    pub(super) longest_after: f64,
    /// The sum of layout shifts from the first choice on; `None` without scripts.
    pub(super) shift_after: Option<f64>,
    /// Blocking time of the main thread in milliseconds, until a second after the last moment.
    pub(super) blocking: f64,
    pub(super) longest: f64,
    pub(super) work: f64,
    #[serde(flatten)]
    pub(super) memory: Memory,
    /// All requests.
    pub(super) log: Vec<Request>,
}

impl Load {
    /// Bytes of the responses from URLs whose path ends like this.
    pub(super) fn bytes_of(&self, end: &str) -> f64 {
        let has_path = |request: &&Request| {
            let path = request.url.split('?').next();
            path.is_some_and(|path| path.ends_with(end))
        };
        let requests = self.log.iter().filter(has_path);
        requests.map(|request| request.bytes).sum()
    }

    /// Loads a variant's page in a new browser. With `keep`, writes a screenshot and a trace for
    /// the developer tools; the recording slows the load down, so it must not be counted.
    pub(super) fn measure(
        site: &Site,
        variant: Variant,
        profile: Profile,
        keep: Option<&Path>,
    ) -> Result<Self> {
        let mut page = Page::open(site, profile, variant, &[])?;
        let about = variant.about();
        let has_scripts = about.choice.is_some();
        if !has_scripts {
            page.turn_scripts_off()?;
        }
        page.record(keep.map_or(CATEGORIES, |_| ALL_CATEGORIES))?;
        page.go(&site.page_with(variant, "INV-1042")?)?;
        let mut wait = |name, selector: Option<&str>| {
            let moment = selector.map(|_| page.moment(name)).transpose()?;
            anyhow::Ok(moment.map(|moment| moment.time))
        };
        let times =
            wait(CHOICE, about.choice).and_then(|choice| Ok((choice, wait(SUBMIT, about.submit)?)));
        if !has_scripts {
            page.wait_for_load()?;
        }
        // Also of a page on which they did not occur.
        if let Some(keep) = keep {
            page.picture(&keep.with_extension("png"))?;
        }
        let (choice, submit) = times?;
        page.sleep(Duration::from_millis(AFTER.into()))?;
        let events = page.recorded()?;
        if let Some(keep) = keep {
            trace::keep(&events, keep)?;
        }
        let shift_after = choice
            .map(|time| page.evaluate(&format!("bench.shiftAfter({time})")))
            .transpose()?;
        let memory = page.memory()?;
        let marks = match (has_scripts, submit) {
            (true, Some(_)) => READY,
            (true, None) => CHOSEN,
            (false, _) => PAINTED,
        };
        let timeline = Timeline::find(&events, marks, AFTER.into());
        let timeline = timeline.context("the trace does not contain the awaited moments")?;
        let all = timeline.all();
        let log = network::requests(&page.log);
        // The shop's page is the same for all; the payment page is the checkout itself.
        let (requests, bytes) = network::before(&log, timeline.choice, !has_scripts);
        Ok(Self {
            choice: choice.unwrap_or_else(|| timeline.to_choice()),
            submit,
            bytes,
            requests,
            blocking_before: timeline.before_choice().blocking,
            longest_after: timeline.after_choice().longest,
            shift_after,
            blocking: all.blocking,
            longest: all.longest,
            work: all.total,
            memory,
            log,
        })
    }
}
