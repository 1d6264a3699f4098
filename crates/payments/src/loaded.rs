//! The loaded dashboard, for the components that show it.

use leptos::prelude::*;
use tender_payments_core::{Dashboard, Event, State};

use crate::driver::Driver;

/// A handle to the loaded dashboard: its components read it and dispatch events. It is made where the dashboard is shown, and
/// found by [`use_dashboard`].
#[derive(Clone, Copy)]
pub(crate) struct LoadedDashboard(Driver);

/// The dashboard that the current component belongs to.
///
/// # Panics
/// Outside of the dashboard's components.
pub(crate) fn use_dashboard() -> LoadedDashboard {
    expect_context()
}

impl LoadedDashboard {
    /// The dashboard, if it is loaded.
    pub(crate) fn new(driver: Driver) -> Option<Self> {
        let is_loaded = untrack(|| driver.with(|state| matches!(state, State::Ready(_))));
        is_loaded.then_some(Self(driver))
    }

    /// Dispatches an event.
    pub(crate) fn dispatch(self, event: Event) {
        self.0.dispatch(event);
    }

    /// Reads the dashboard, and subscribes the current effect to it. An effect may run once more before its view is
    /// removed; it reads a dashboard without payments then.
    pub(crate) fn with<T>(self, read: impl FnOnce(&Dashboard) -> T) -> T {
        self.0.with(|state| match state {
            State::Ready(dashboard) => read(dashboard),
            State::Loading(_) | State::KeyRequired(_) | State::LoggedOut | State::Failed(..) => {
                read(&Dashboard::new(None))
            }
        })
    }

    /// A value that is derived from the dashboard, for effects that run only when the value changes.
    pub(crate) fn memo<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&Dashboard) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        Memo::new(move |_| self.with(&read))
    }

    /// A value that is derived from a part of the dashboard: see [`latest`].
    pub(crate) fn latest<T: Clone + PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&Dashboard) -> Option<T> + Send + Sync + 'static,
    ) -> Option<Memo<T>> {
        latest(move || self.with(&read))
    }
}

/// The latest value of `read`; `None` if it has none now. The value of something that is removed later stays as it was, until
/// the component that shows it is removed, too.
pub(crate) fn latest<T: Clone + PartialEq + Send + Sync + 'static>(
    read: impl Fn() -> Option<T> + Send + Sync + 'static,
) -> Option<Memo<T>> {
    let first = untrack(&read)?;
    Some(Memo::new(move |before: Option<&T>| {
        read().unwrap_or_else(|| before.unwrap_or(&first).clone())
    }))
}
