//! Async tasks that end with the element.

use std::pin::Pin;

use futures_util::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use tender_protocol::client::FetchResult;
use wasm_bindgen_futures::spawn_local;

/// Runs the async tasks of one element, and cancels them when the element's owner is cleaned up.
///
/// Leptos' `spawn_local_scoped_with_cancellation` registers a clean-up with the owner for each task. An element lives for
/// days and sends thousands of requests, so here a finished task leaves nothing behind.
#[derive(Clone, Copy)]
pub struct Tasks(StoredValue<Running, LocalStorage>);

#[derive(Default)]
struct Running {
    next_id: u64,
    tasks: Vec<(u64, AbortOnDrop)>,
}

struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Tasks {
    /// Belongs to the current owner.
    #[expect(
        clippy::new_without_default,
        reason = "the value depends on the current owner"
    )]
    pub fn new() -> Self {
        Self(StoredValue::new_local(Running::default()))
    }

    /// Starts a task. Does nothing once the element is unmounted.
    pub fn spawn(self, task: impl Future<Output = ()> + 'static) {
        let (handle, registration) = AbortHandle::new_pair();
        let id = self.0.try_update_value(|running| {
            let id = running.next_id;
            running.next_id += 1;
            running.tasks.push((id, AbortOnDrop(handle)));
            id
        });
        let Some(id) = id else { return };
        // Boxed, so that everything below is compiled once and not for every type of future.
        let task: Pin<Box<dyn Future<Output = ()>>> = Box::pin(task);
        let task = Abortable::new(task, registration);
        spawn_local(async move {
            // An error means that the task was cancelled.
            let _ = task.await;
            self.0.try_update_value(|running| {
                let finished = running.tasks.iter().position(|(other, _)| *other == id);
                finished.map(|at| running.tasks.swap_remove(at))
            });
        });
    }

    /// Sends a request, and calls `on_finished` with its result.
    pub fn fetch(
        self,
        request: impl Future<Output = FetchResult> + 'static,
        on_finished: impl FnOnce(FetchResult) + 'static,
    ) {
        // Boxed, so that the task is compiled once and not for every type of request.
        let request: Pin<Box<dyn Future<Output = FetchResult>>> = Box::pin(request);
        let on_finished: Box<dyn FnOnce(FetchResult)> = Box::new(on_finished);
        self.spawn(async move { on_finished(request.await) });
    }

    /// How many tasks are running.
    pub fn count(self) -> usize {
        self.0
            .try_with_value(|running| running.tasks.len())
            .unwrap_or_default()
    }
}
