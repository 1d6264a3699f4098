//! The page's timers: timers of a second or more are held until a test fires them. `Math.random` is fixed, so that
//! delays with jitter have one length.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::window;

/// In milliseconds; shorter timers use the browser's.
const LONG: f64 = 1_000.0;
/// The ids of held timers are larger than those of the browser.
const FIRST_ID: u32 = 1 << 30;

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(FIRST_ID) };
    static HELD: RefCell<BTreeMap<u32, (f64, Function)>> = const { RefCell::new(BTreeMap::new()) };
}

/// The number of held timers of this length.
pub fn held(milliseconds: f64) -> usize {
    let is_so = |(delay, _): &&(f64, Function)| (delay - milliseconds).abs() < f64::EPSILON;
    HELD.with_borrow(|held| held.values().filter(is_so).count())
}

/// Fires every held timer of this length.
pub fn fire(milliseconds: f64) {
    let due: Vec<_> = HELD.with_borrow_mut(|held| {
        held.extract_if(.., |_, (delay, _)| {
            (*delay - milliseconds).abs() < f64::EPSILON
        })
        .collect()
    });
    for (_, (_, callback)) in due {
        callback.call0(&JsValue::UNDEFINED).unwrap();
    }
}

/// Replaces the page's timers.
pub(crate) fn install() {
    let window = window().unwrap();
    let native = |name: &str| Reflect::get(&window, &name.into()).unwrap();
    let (set, clear): (Function, Function) = (
        native("setTimeout").unchecked_into(),
        native("clearTimeout").unchecked_into(),
    );
    let set = Closure::<dyn FnMut(Function, JsValue) -> JsValue>::new(
        move |callback: Function, delay: JsValue| match delay.as_f64() {
            Some(delay) if delay >= LONG => hold(delay, callback).into(),
            _ => set.call2(&JsValue::UNDEFINED, &callback, &delay).unwrap(),
        },
    );
    let clear = Closure::<dyn FnMut(JsValue)>::new(move |id: JsValue| {
        if !release(&id) {
            clear.call1(&JsValue::UNDEFINED, &id).unwrap();
        }
    });
    let even = Function::new_no_args("Math.random = () => 0.5");
    even.call0(&JsValue::UNDEFINED).unwrap();
    for (name, stand_in) in [
        ("setTimeout", set.into_js_value()),
        ("clearTimeout", clear.into_js_value()),
    ] {
        Reflect::set(&window, &name.into(), &stand_in).unwrap();
    }
}

fn hold(delay: f64, callback: Function) -> u32 {
    let id = NEXT.replace(NEXT.get() + 1);
    HELD.with_borrow_mut(|held| held.insert(id, (delay, callback)));
    id
}

fn release(id: &JsValue) -> bool {
    let id = id.as_f64().filter(|id| *id >= f64::from(FIRST_ID));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the ids are ours: whole and small"
    )]
    id.is_some_and(|id| HELD.with_borrow_mut(|held| held.remove(&(id as u32)).is_some()))
}
