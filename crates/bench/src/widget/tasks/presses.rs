//! Presses of a buyer: the time to the amount, and the time to the next frame.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::name_of;
use crate::widget::page::{CHOICE, Moment, Page, SUBMIT};
use crate::widget::profile::Profile;
use crate::widget::site::Site;
use crate::widget::trace::{self, ALL_CATEGORIES};
use crate::widget::variant::Variant;

/// The button in any view, also one whose code is not loaded.
const BUTTON: &str = "button[type=submit]";

/// The amount to send.
const AMOUNT: &str = "[part=amount]";

/// When the buyer presses the button.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Press {
    /// As soon as there is something to press: a token, and then the button.
    AtFirstChoice,
    /// A second after the form can be submitted.
    WhenReady,
}

impl Press {
    const fn key(self) -> &'static str {
        match self {
            Self::AtFirstChoice => "early",
            Self::WhenReady => "amount",
        }
    }

    /// The moment at which the amount is painted. With `results`, writes a screenshot and a trace there.
    pub(super) fn to_the_amount(
        self,
        site: &Site,
        variant: Variant,
        round: u32,
        results: Option<&Path>,
    ) -> Result<Moment> {
        let mut page = Page::open(site, Profile::Slow, variant, &[])?;
        page.watch("amount", AMOUNT)?;
        // A new invoice each time, because the proxy would answer a repeat from its database.
        let invoice = format!("INV-{}-{}-{round}", name_of(&variant), self.key());
        let url = site.page_with(variant, &invoice)?;
        let trace_from_start = results.is_some() && self == Self::AtFirstChoice;
        if trace_from_start {
            page.record(ALL_CATEGORIES)?;
        }
        page.go(&url)?;
        let choice = page.moment(CHOICE)?;
        if self == Self::WhenReady {
            page.moment(SUBMIT)?;
        }
        page.press_at(choice.centre)?;
        if self == Self::WhenReady {
            // A buyer needs at least this long to move to the button.
            page.sleep(Duration::from_secs(1))?;
            if results.is_some() {
                page.record(ALL_CATEGORIES)?;
            }
        }
        page.press(BUTTON)?;
        let amount = page.moment("amount")?;
        if let Some(results) = results {
            let keep = results.join(format!("{}-{}", name_of(&variant), self.key()));
            page.picture(&keep.with_extension("png"))?;
            trace::keep(&page.recorded()?, &keep)?;
        }
        Ok(amount)
    }
}

/// The time between two presses. They are short, so that a press falls into each task that takes long.
const PAUSE: Duration = Duration::from_millis(60);

/// How long the buyer goes on pressing after the form can be submitted.
const GOES_ON: Duration = Duration::from_secs(1);

/// Presses tokens from the first choice until the form can be submitted, and a second longer. Returns milliseconds from
/// the press that took longest to the next painted frame (Interaction to Next Paint). Browsers round it to 8 ms, and
/// report nothing below 16 ms, which is 0 here.
pub(super) fn slowest_press(site: &Site, variant: Variant) -> Result<f64> {
    let mut page = Page::open(site, Profile::Slow, variant, &[])?;
    page.go(&site.page_with(variant, "INV-1042")?)?;
    let choice = page.moment(CHOICE)?;
    let tokens = page.centres(variant.about().choice.unwrap_or_default())?;
    let mut turns = tokens.iter().copied().cycle();
    let mut end = None;
    while end.is_none_or(|end| Instant::now() < end) {
        page.press_at(turns.next().unwrap_or(choice.centre))?;
        page.sleep(PAUSE)?;
        if end.is_none() && page.has_reported(SUBMIT) {
            end = Some(Instant::now() + GOES_ON);
        }
    }
    // Until the last frame is painted and reported.
    page.sleep(GOES_ON)?;
    let times: Vec<f64> = page.evaluate("bench.interactions()")?;
    Ok(times.into_iter().fold(0.0, f64::max))
}
