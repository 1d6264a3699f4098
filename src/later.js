/*
 * Asks for the later part of the module (src/later.rs), under the name that `#[wasm_split]` gives to who does that. It is
 * put into the glue when the widget is built, and the name of the part with it.
 */
import { exports } from "./tender-checkout.js";
import { start } from "./start.js";

let part;

/** Calls back with whether the part is here: a function in the module's table, and what it is called with. */
export const __wasm_split_load_later = async (callback, data) => {
  const __wasm_split = exports();
  // One that came stays; one that did not is asked for anew the next time.
  part ??= start(fetch(new URL("__TENDER_LATER__", import.meta.url)), { __wasm_split });
  const isHere = await part.then(() => true, (error) => {
    console.error(error);
    part = undefined;
    return false;
  });
  __wasm_split.__indirect_function_table.get(callback)(data, isHere);
};
