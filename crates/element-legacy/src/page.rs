//! The page that an element is in.

use leptos::prelude::{document, on_cleanup, window_event_listener_untyped};

/// Hears whether the page is seen, each time that this may have changed and when the network is
/// back, for as long as the current owner lives.
pub fn watch(hear: impl Fn(bool) + Clone + 'static) {
    // The first reaches the window from the document.
    for name in ["visibilitychange", "pageshow", "online"] {
        let hear = hear.clone();
        let listener = window_event_listener_untyped(name, move |_| hear(is_seen()));
        on_cleanup(move || listener.remove());
    }
}

/// Whether the page is seen.
#[must_use]
pub fn is_seen() -> bool {
    !document().hidden()
}

/// About a second, in milliseconds: a quarter more or less, so that pages do not all ask at once.
#[must_use]
pub fn about_a_second() -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 750 and 1250"
    )]
    let milliseconds = (750.0 + 500.0 * js_sys::Math::random()) as u32;
    milliseconds
}
