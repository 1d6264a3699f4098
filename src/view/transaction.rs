//! The buyer's transaction: a field to paste its hash, and the way to the block explorer.

use leptos::prelude::event_target_value;
use tender_checkout_core::Event;
use tender_checkout_core::asset::HashFormat;
use tender_element::Live;
use tender_element::dom::{El, el};
use tender_element::icon;

use super::awaiting::read;
use crate::driver::Driver;
use crate::text::payment::Text;
use crate::text::{fill, say};

pub(super) fn transaction(driver: Driver) -> El {
    let format = read(driver, tender_checkout_core::Awaiting::hash_format).flatten();
    el("div")
        .class("transaction")
        .child(format.map(|format| hash_field(driver, format)))
        .live_children(
            move || target(driver),
            |target| target.as_ref().map(explorer),
        )
}

fn hash_field(driver: Driver, format: HashFormat) -> El {
    let is_typed = Live::new(false);
    let is_wrong = move || {
        let is_known = read(driver, |awaiting| awaiting.transaction().is_some());
        is_typed.get() && !is_known.unwrap_or_default()
    };
    let network = read(driver, |awaiting| awaiting.choice.network.clone()).unwrap_or_default();
    let problem = move |is_wrong: &bool| {
        let text = match format {
            HashFormat::Hex => Text::HashInvalid,
            HashFormat::PrefixedHex => Text::HashInvalidPrefixed,
        };
        is_wrong.then(|| {
            el("p")
                .class("problem")
                .attr("role", "alert")
                .attr("id", "hash-problem")
                .text(&fill(text, &[("network", &network)]))
        })
    };
    let input = el("input")
        .attr("id", "hash")
        .attr("type", "text")
        .attr("dir", "ltr")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .attr("spellcheck", "false")
        .attr("aria-describedby", "hash-hint")
        .on("input", move |event| {
            let text = event_target_value(&event);
            is_typed.set(!text.trim().is_empty());
            driver.dispatch(Event::HashEntered(text));
        });
    let hint = el("p")
        .class("hint")
        .attr("id", "hash-hint")
        .text(&say(Text::PasteHashHint));
    let field = el("div")
        .class("field")
        .child(el("label").attr("for", "hash").text(&say(Text::PasteHash)))
        .child(input)
        .child(hint)
        .live_children(is_wrong, problem);
    el("details")
        .class("hash")
        .child(el("summary").text(&say(Text::AlreadySent)))
        .child(field)
}

/// Where the transaction can be seen.
#[derive(PartialEq)]
struct Target {
    url: String,
    host: String,
    /// Whether it leads to the transaction, and not only to the explorer.
    is_known: bool,
}

fn target(driver: Driver) -> Option<Target> {
    read(driver, |awaiting| {
        Some(Target {
            url: awaiting.explorer_url()?,
            host: awaiting.choice.explorer.as_ref()?.host().to_owned(),
            is_known: awaiting.transaction().is_some(),
        })
    })
    .flatten()
}

/// The link follows the transaction once its hash is known; until then it leads to the explorer.
fn explorer(target: &Target) -> El {
    let text = if target.is_known {
        Text::ExplorerTransaction
    } else {
        Text::Explorer
    };
    el("a")
        .class("explorer")
        .part("explorer")
        .attr("href", &target.url)
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .text(&fill(text, &[("host", &target.host)]))
        .child(icon::outward())
}
