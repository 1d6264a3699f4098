//! Futures that end with what began them, and what can wait for a frame.

use std::pin::Pin;

use js_sys::Promise;
use leptos::prelude::{request_animation_frame, window};
use leptos::task::spawn_local_scoped_with_cancellation;
use wasm_bindgen_futures::JsFuture;

use crate::Live;

/// Runs a future for as long as the current owner lives. It comes in a box, since each type of future
/// would bring a copy of all that runs it.
pub fn spawn(future: Pin<Box<dyn Future<Output = ()>>>) {
    spawn_local_scoped_with_cancellation(future);
}

/// Waits so many milliseconds, and at the least for a task of its own.
pub async fn wait(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        // Where there is no timer, there is no wait.
        let _ =
            window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    });
    // A timer has nothing to fail with.
    let _ = JsFuture::from(promise).await;
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
