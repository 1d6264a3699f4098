//! Icons, drawn inline: they take the colour of the text, and need no request. Screen readers skip them.

use leptos::prelude::*;

/// Two sheets of paper.
#[component]
pub fn CopyIcon() -> AnyView {
    icon("M9 9h10v10H9zM5 15V5h10")
}

/// A check mark.
#[component]
pub fn CheckIcon() -> AnyView {
    icon("M5 12.5l4.5 4.5L19 7.5")
}

/// A cross.
#[component]
pub fn ClosedIcon() -> AnyView {
    icon("M6.5 6.5l11 11M17.5 6.5l-11 11")
}

/// A clock.
#[component]
pub fn ClockIcon() -> AnyView {
    icon("M12 4a8 8 0 1 0 0 16 8 8 0 1 0 0-16M12 8v4.5l3 2")
}

/// A warning sign.
#[component]
pub fn WarningIcon() -> AnyView {
    icon("M12 4.5L21 19.5H3zM12 10v4.5M12 17v.2")
}

/// An arrow that leaves a frame: the link opens another site.
#[component]
pub fn ExternalIcon() -> AnyView {
    icon("M14 5h5v5M19 5l-8.5 8.5M17 14v5H5V7h5")
}

/// A line drawing on a grid of 24 units.
fn icon(path: &'static str) -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d=path></path>
        </svg>
    }
    .into_any()
}
