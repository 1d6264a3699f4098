//! What a buyer needs only once they submit: a part of the module that comes by itself, while
//! they choose (docs/PERFORMANCE.md). `cargo xtask dist` takes it out of the module, by the
//! feature `split`; else it is there from the beginning.
#![cfg_attr(
    feature = "split",
    allow(
        unsafe_code,
        clippy::unnecessary_wraps,
        reason = "the attribute that marks the part declares an import, and wants a result"
    )
)]

#[cfg(feature = "split")]
mod split;

use std::cell::Cell;

use tender_checkout_core::step::{self, Next};
use tender_checkout_core::{Config, Effect, Event, State, memory};
use tender_element::dom::El;
use tender_element::task;
use wasm_bindgen_futures::spawn_local;

use crate::Loader;
use crate::driver::{self, Driver};
use crate::view::{self, Scene};

/// How long to wait before each time that the part is asked for, in milliseconds.
const PAUSES: [i32; 4] = [0, 300, 1_000, 3_000];

/// When what has changed is painted for certain, in milliseconds.
const AFTER_PAINT: i32 = 100;

/// The part: what it is entered through, and what that looks like.
#[derive(Clone, Copy)]
pub(crate) struct Later {
    /// [`tender_checkout_core::step::pay`].
    pub(crate) step: fn(&Config, State, Event) -> Next,
    /// [`tender_checkout_core::memory::remember`].
    pub(crate) remember: fn(&Config, &State) -> Option<String>,
    /// Executes the effects of a payment.
    pub(crate) execute: fn(Driver, &Config, Effect),
    /// The views of a payment.
    pub(crate) view: fn(Driver, Scene) -> Option<El>,
    /// Has the browser compile all that. Whether it does: else there is nothing to go through yet.
    pub(crate) rehearse: fn(Driver) -> bool,
    /// What the views look like: rules that the loader is given as soon as the part is here.
    style: &'static str,
}

thread_local! {
    static LOADED: Cell<Option<Later>> = const { Cell::new(None) };
    /// Whether it is prepared, or being so: one change after another asks for that.
    static IS_PREPARED: Cell<bool> = const { Cell::new(false) };
}

/// The part, where it is here.
pub(crate) fn loaded() -> Option<Later> {
    LOADED.get()
}

/// Loads the part, several times if need be. `None` where it can't be had now.
pub(crate) async fn load(loader: &Loader) -> Option<Later> {
    for pause in PAUSES {
        if pause > 0 {
            task::wait(pause).await;
        }
        if loaded().is_none()
            && let Ok(later) = part().await
        {
            take(later, loader);
        }
        if loaded().is_some() {
            break;
        }
    }
    loaded()
}

/// Takes the part in, once, and its styles, before anything of it is shown.
fn take(later: Later, loader: &Loader) {
    if LOADED.replace(Some(later)).is_none() {
        loader.style(later.style);
    }
}

/// Loads the part soon, once what there is to see has been painted, and rehearses what the buyer could do with it.
pub(crate) fn prepare(driver: Driver, loader: &Loader) {
    if IS_PREPARED.replace(true) {
        return;
    }
    let loader = loader.clone();
    // A timer of gloo's that outlives this would leave its closure behind for good, with each element.
    spawn_local(async move {
        task::wait(AFTER_PAINT).await;
        // Where it can't be had, whoever needs it tries again.
        let later = load(&loader).await;
        IS_PREPARED.set(later.is_some_and(|later| (later.rehearse)(driver)));
    });
}

#[cfg(feature = "split")]
#[leptos::wasm_split::wasm_split(later, wasm_split_path = split, fallible)]
fn part() -> Result<Later, split::SplitLoaderError> {
    Ok(entrances())
}

#[cfg(not(feature = "split"))]
#[expect(
    clippy::unused_async,
    reason = "as it is where the part has to be loaded"
)]
async fn part() -> Result<Later, std::convert::Infallible> {
    Ok(entrances())
}

fn entrances() -> Later {
    Later {
        step: step::pay,
        remember: memory::remember,
        execute: driver::payment::execute,
        view: view::of_payment,
        rehearse: driver::rehearsal::rehearse,
        style: concat!(
            include_str!("../style/controls.css"),
            include_str!("../style/payment.css")
        ),
    }
}
