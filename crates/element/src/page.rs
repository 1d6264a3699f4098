//! The page that an element is in.

use leptos::prelude::{document, on_cleanup, window_event_listener_untyped};
use web_sys::Event;

/// Calls `on_change` with whether the page is visible: each time that this may have changed, and when the browser is
/// online again. Ends with the current owner.
pub fn on_visibility_change(on_change: impl Fn(bool) + Clone + 'static) {
    // `visibilitychange` bubbles from the document to the window.
    for name in ["visibilitychange", "pageshow", "online"] {
        let on_change = on_change.clone();
        let listener = window_event_listener_untyped(name, move |_| on_change(is_visible()));
        on_cleanup(move || listener.remove());
    }
}

/// Whether the page is visible.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// An event listener that does this in place of what the browser does by default.
pub fn prevent_default<E: AsRef<Event>>(act: impl Fn() + 'static) -> impl FnMut(E) + 'static {
    move |event| {
        event.as_ref().prevent_default();
        act();
    }
}

/// Converts seconds to milliseconds, with a random jitter of up to a quarter, so that pages do not all poll at once.
pub fn jittered(seconds: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 750 and 1250"
    )]
    let second = (750.0 + 500.0 * js_sys::Math::random()) as u32;
    seconds.saturating_mul(second)
}
