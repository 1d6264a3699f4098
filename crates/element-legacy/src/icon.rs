//! Icons, drawn inline: they take the colour of the text, and need no request.

use crate::dom::{El, svg};

/// A line icon on a grid of 24 units. It says nothing to assistive technology: the words do.
fn icon(path: &str) -> El {
    svg("svg")
        .class("icon")
        .attr("viewBox", "0 0 24 24")
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
        .child(svg("path").attr("d", path))
}

/// Two sheets.
#[must_use]
pub fn copy() -> El {
    icon("M9 9h10v10H9zM5 15V5h10")
}

/// A tick.
#[must_use]
pub fn check() -> El {
    icon("M5 12.5l4.5 4.5L19 7.5")
}

/// A warning sign.
#[must_use]
pub fn warning() -> El {
    icon("M12 4.5L21 19.5H3zM12 10v4.5M12 17v.2")
}

/// An arrow out of a frame.
#[must_use]
pub fn outward() -> El {
    icon("M14 5h5v5M19 5l-8.5 8.5M17 14v5H5V7h5")
}
