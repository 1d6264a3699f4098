//! The page's timers: timers of a second or more are held until a test fires them. `Math.random` is fixed, so that
//! delays with jitter have one length.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(inline_js = "
    const held = new Map();
    export const replaceTimers = () => {
      const { setTimeout, clearTimeout } = window;
      let next = 2 ** 30; // larger than the browser's ids
      window.setTimeout = (callback, delay) => {
        if (!(delay >= 1000)) return setTimeout(callback, delay);
        held.set(next, { callback, delay });
        return next++;
      };
      window.clearTimeout = (id) => held.delete(id) || clearTimeout(id);
      Math.random = () => 0.5;
    };
    const ofLength = (length) => [...held].filter(([, { delay }]) => delay === length);
    export const countTimers = (length) => ofLength(length).length;
    export const fireTimers = (length) => {
      for (const [id, { callback }] of ofLength(length)) if (held.delete(id)) callback();
    };
")]
extern "C" {
    #[wasm_bindgen(js_name = replaceTimers)]
    pub(crate) fn replace_timers();

    /// The number of held timers of this length in milliseconds.
    #[wasm_bindgen(js_name = countTimers)]
    pub fn held(milliseconds: f64) -> usize;

    /// Fires every held timer of this length.
    #[wasm_bindgen(js_name = fireTimers)]
    pub fn fire(milliseconds: f64);
}
