//! What views find wherever they are built: who speaks, and whether someone is at work.
//!
//! Leptos has contexts for that, in a map of types for each owner: 1.5 KB before the first choice.

use std::cell::Cell;

use crate::focus::Attended;
use crate::speech::Speech;

/// An element, as its views know it.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) speech: Speech,
    pub(crate) attended: Attended,
}

thread_local! {
    static SCOPE: Cell<Option<Scope>> = const { Cell::new(None) };
}

/// The element whose views are being built, or are following a change.
pub(crate) fn current() -> Option<Scope> {
    SCOPE.get()
}

/// Runs this for an element's views.
pub(crate) fn within<T>(scope: Option<Scope>, run: impl FnOnce() -> T) -> T {
    let around = SCOPE.replace(scope);
    let result = run();
    SCOPE.set(around);
    result
}
