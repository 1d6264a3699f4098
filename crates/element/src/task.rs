//! Futures that end with what began them.

use std::pin::Pin;

use leptos::task::spawn_local_scoped_with_cancellation;

/// Runs a future for as long as the current owner lives. It comes in a box, since each type of future
/// would bring a copy of all that runs it.
pub fn spawn(future: Pin<Box<dyn Future<Output = ()>>>) {
    spawn_local_scoped_with_cancellation(future);
}
