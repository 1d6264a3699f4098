/*
 * Asks for the later part of the module (src/later.rs), under the name that `#[wasm_split]` gives to who does that. It is
 * put into the glue when the widget is built, and the name of the part with it.
 */
import { guard } from "./guard.js";
import { exports } from "./tender-checkout.js";
import { start } from "./start.js";

const PATIENCE = 30_000; // milliseconds, as in the module

let part;

const load = async () => {
  const asked = fetch(new URL("__TENDER_LATER__", import.meta.url), { signal: AbortSignal.timeout?.(PATIENCE) });
  await start(asked, { __wasm_split: exports() });
};

/** Calls back with whether the part is here: a function in the module's table, and what it is called with. */
export const __wasm_split_load_later = async (callback, data) => {
  let isHere = false;
  try {
    // One that came stays; one that did not is asked for anew the next time.
    await (part ??= load());
    isHere = true;
  } catch (error) {
    part = undefined;
    console.error(error);
  } finally {
    // Whatever a page does to what is called above, the module hears of it, once.
    guard(exports().__indirect_function_table.get(callback))(data, isHere);
  }
};
