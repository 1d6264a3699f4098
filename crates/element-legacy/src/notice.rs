//! Failures, in a plain sentence.

use crate::dom::{El, el};
use crate::icon;

/// A failure, said at once.
#[must_use]
pub fn alert(title: &str, sentence: &str) -> El {
    let words = el("div")
        .child(el("strong").text(title))
        .child(el("p").text(sentence));
    el("div")
        .class("alert")
        .attr("role", "alert")
        .part("alert")
        .child(icon::warning())
        .child(words)
}
