//! One load of one page: what it took to the first choice.

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

/// How long the page is looked at after its first choice is there (milliseconds): what is put off until then
/// keeps a buyer waiting, too.
const AFTER: u16 = 1000;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Load {
    /// Milliseconds from the navigation to the first choice, painted and usable.
    pub(super) choice: f64,
    /// Bytes of the bodies that had come until then, compressed as they were sent.
    pub(super) bytes: f64,
    /// How many they were.
    pub(super) requests: usize,
    /// Milliseconds of the main thread, from the document to a second after the first choice.
    pub(super) blocking: f64,
    pub(super) longest: f64,
    pub(super) work: f64,
    /// Bytes after a collection of garbage.
    pub(super) heap: f64,
    pub(super) wasm: f64,
    /// All requests.
    pub(super) log: Vec<Request>,
}

impl Load {
    /// What came from addresses that end like this.
    pub(super) fn bytes_of(&self, end: &str) -> f64 {
        let requests = self.log.iter().filter(|request| request.url.ends_with(end));
        requests.map(|request| request.bytes).sum()
    }

    /// Loads a variant's page in a browser of its own. Where `keep` names files, it leaves a picture of the first choice
    /// there, and a trace for the developer tools; recording so much takes time, and such a load must not count.
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
        page.pass(Duration::from_millis(AFTER.into()))?;
        let events = page.recorded()?;
        if let Some(keep) = keep {
            trace::keep(&events, keep)?;
        }
        let memory = page.memory()?;
        let span = Span::find(&events, &format!("bench {CHOICE}"));
        let span =
            span.ok_or_else(|| Error::Browser("the trace lacks the page's mark".to_owned()))?;
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
