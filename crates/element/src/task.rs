//! Futures that end with what began them, and what can wait for a frame.

use std::pin::Pin;

use leptos::prelude::request_animation_frame;
use leptos::task::spawn_local_scoped_with_cancellation;

use crate::Live;

/// Runs a future for as long as the current owner lives. It comes in a box, since each type of future
/// would bring a copy of all that runs it.
pub fn spawn(future: Pin<Box<dyn Future<Output = ()>>>) {
    spawn_local_scoped_with_cancellation(future);
}

/// Becomes true once what is being built has been painted: what takes long to draw, and has its room already, need not
/// keep the rest waiting.
#[must_use]
pub fn painted() -> Live<bool> {
    let is_painted = Live::new(false);
    // A frame is painted after its callbacks: at those of the next one it is on the screen. Where the view is gone by
    // then, nobody waits.
    request_animation_frame(move || request_animation_frame(move || is_painted.set(true)));
    is_painted
}
