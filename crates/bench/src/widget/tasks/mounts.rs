//! A page that mounts and removes checkouts all day.

use anyhow::Result;

use crate::widget::page::{Memory, Page, SUBMIT};
use crate::widget::profile::Profile;
use crate::widget::site::Site;
use crate::widget::variant::Variant;

/// Number of mounts between two measurements of the memory, and number of measurements.
pub(super) const MOUNTS: usize = 100;
const SAMPLES: usize = 10;

const MOUNT: &str = include_str!("../mounts.js");

/// Makes V8 interpret all JavaScript. Otherwise it compiles frequent functions, and the compiled
/// code makes the heap grow even without a leak.
pub(super) const NOTHING_COMPILED: &str = "--js-flags=--no-sparkplug,--no-maglev,--no-turbofan";

/// The memory after each hundred mounts, in a browser with these arguments.
pub(super) fn mount_and_remove(site: &Site, arguments: &[&str]) -> Result<Vec<f64>> {
    let mut page = Page::open(site, Profile::Plain, Variant::Tender, arguments)?;
    page.go(&site.page_with(Variant::Tender, "INV-1042")?)?;
    page.moment(SUBMIT)?;
    let mut memory = Vec::new();
    for index in 1..=SAMPLES {
        eprintln!("mounts and removals: {}", index * MOUNTS);
        page.evaluate::<()>(&format!("({MOUNT})({MOUNTS})"))?;
        memory.push(page.memory().map(Memory::total)?);
    }
    Ok(memory)
}
