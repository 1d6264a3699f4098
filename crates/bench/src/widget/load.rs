//! One page load: up to the first choice, and until the form can be submitted.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::network::{self, Request};
use super::page::Page;
use super::profile::Profile;
use super::site::Site;
use super::trace::{self, ALL_CATEGORIES, CATEGORIES, Moments};
use super::variant::Variant;
use crate::error::Error;

/// The names of the awaited moments.
pub(super) const CHOICE: &str = "choice";
pub(super) const SUBMIT: &str = "submit";

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
    /// Heap size in bytes after a garbage collection.
    pub(super) heap: f64,
    pub(super) wasm: f64,
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
    ) -> Result<Self, Error> {
        let mut page = Page::open(profile, &site.empty_page())?;
        let has_scripts = variant.choice().is_some();
        if !has_scripts {
            page.turn_scripts_off()?;
        }
        watch(&mut page, variant)?;
        page.record(if keep.is_some() {
            &ALL_CATEGORIES
        } else {
            &CATEGORIES
        })?;
        let url = site.page_with(variant, "INV-1042")?;
        page.go(&url)?;
        let times = wait(&mut page, variant);
        if let Some(keep) = keep {
            page.picture(&keep.with_extension("png"))?;
        }
        let (choice, submit) = times?;
        page.sleep(Duration::from_millis(AFTER.into()))?;
        let events = page.recorded()?;
        if let Some(keep) = keep {
            trace::keep(&events, keep)?;
        }
        let shift_after = match choice {
            Some(time) => page
                .evaluate(&format!("bench.shiftAfter({time})"))?
                .as_f64(),
            None => None,
        };
        let memory = page.memory()?;
        let moments = if has_scripts {
            Moments::reported(&events, submit.is_some())
        } else {
            Moments::painted(&events)
        };
        let moments = moments.ok_or_else(|| {
            Error::Browser("the trace does not contain the awaited moments".to_owned())
        })?;
        let work = moments.work(&events, AFTER.into());
        let log = network::requests(&page.log);
        // The shop's page is the same for all; the payment page is the checkout itself.
        let (requests, bytes) = network::before(&log, moments.choice, !has_scripts);
        Ok(Self {
            choice: choice.unwrap_or_else(|| moments.to_choice()),
            submit,
            bytes,
            requests,
            blocking_before: work.before_choice.blocking,
            longest_after: work.after_choice.longest,
            shift_after,
            blocking: work.all.blocking,
            longest: work.all.longest,
            work: work.all.total,
            heap: memory.heap,
            wasm: memory.wasm,
            log,
        })
    }
}

/// Makes the next page report the awaited moments of a variant.
pub(super) fn watch(page: &mut Page, variant: Variant) -> Result<(), Error> {
    for (name, selector) in [(CHOICE, variant.choice()), (SUBMIT, variant.submit())] {
        if let Some(selector) = selector {
            page.watch_from_start(name, selector)?;
        }
    }
    Ok(())
}

/// Waits for the awaited moments of a variant. Returns their times in milliseconds.
fn wait(page: &mut Page, variant: Variant) -> Result<(Option<f64>, Option<f64>), Error> {
    let mut time = |name, selector: Option<&str>| match selector {
        Some(_) => page.moment(name).map(|moment| Some(moment.time)),
        None => Ok(None),
    };
    let times = (
        time(CHOICE, variant.choice())?,
        time(SUBMIT, variant.submit())?,
    );
    if times.0.is_none() {
        page.wait_for_load()?;
    }
    Ok(times)
}
