//! One page load up to the first choice.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::network::{self, Request};
use super::page::Page;
use super::profile::Profile;
use super::site::Site;
use super::trace::{self, ALL_CATEGORIES, CATEGORIES, Span, Work};
use super::variant::Variant;
use crate::error::Error;

const CHOICE: &str = "choice";

/// How long the page is observed after its first choice (milliseconds), because deferred work also
/// delays a buyer.
const AFTER: u16 = 1000;

/// The measurements of a load.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Load {
    /// Milliseconds from the navigation until the first choice is painted and usable.
    pub(super) choice: f64,
    /// Transferred bytes of the response bodies until then.
    pub(super) bytes: f64,
    /// Number of responses until then.
    pub(super) requests: usize,
    /// Blocking time of the main thread in milliseconds, until a second after the first choice.
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
    /// Bytes of the responses from URLs with this suffix.
    pub(super) fn bytes_of(&self, end: &str) -> f64 {
        let requests = self.log.iter().filter(|request| request.url.ends_with(end));
        requests.map(|request| request.bytes).sum()
    }

    /// Loads a variant's page in a new browser. With `keep`, writes a screenshot and a trace for
    /// the developer tools; the recording slows the load down, so it must not be counted.
    pub(super) fn measure(
        site: &mut Site,
        variant: Variant,
        profile: Profile,
        keep: Option<&Path>,
    ) -> Result<Self, Error> {
        let mut page = Page::open(profile, &site.empty_page())?;
        page.watch_from_start(CHOICE, variant.choice().0)?;
        page.record(if keep.is_some() {
            &ALL_CATEGORIES
        } else {
            &CATEGORIES
        })?;
        let url = site.page_with(variant, "INV-1042")?;
        page.go(&url)?;
        let moment = page.moment(CHOICE);
        if let Some(keep) = keep {
            page.picture(&keep.with_extension("png"))?;
        }
        let moment = moment?;
        page.sleep(Duration::from_millis(AFTER.into()))?;
        let events = page.recorded()?;
        if let Some(keep) = keep {
            trace::keep(&events, keep)?;
        }
        let memory = page.memory()?;
        let span = Span::find(&events, &format!("bench {CHOICE}"));
        let span = span.ok_or_else(|| {
            Error::Browser("the trace does not contain the page's mark".to_owned())
        })?;
        let work = Work::within(&events, span, AFTER.into());
        let log = network::requests(&page.log);
        let (requests, bytes) = network::before(&log, span.moment);
        Ok(Self {
            choice: moment.time,
            bytes,
            requests,
            blocking: work.blocking,
            longest: work.longest,
            work: work.total,
            heap: memory.heap,
            wasm: memory.wasm,
            log,
        })
    }
}
