/*
 * The loader of both custom elements: what the page downloads first, before the WebAssembly module.
 *
 * It registers the element, shows a skeleton, loads the module and mounts it. If the module cannot be loaded, or
 * crashes, it shows a message and the element's children (the page's own fallback).
 *
 * `src/checkout.js` and `crates/payments/src/payments.js` are the entry points. `cargo xtask bundle` has esbuild bundle
 * each with these modules into one classic script. Two imports are made by the build:
 *
 * - `tender-build`: the names of the files that the loader loads, and the version (`crates/xtask/src/bundle/release.rs`);
 * - `tender-style`: the element's style sheet, minified, as text.
 */
export { TenderElement, callModule, scheduleUpdate } from "./element.js";
export { define } from "./define.js";
export { languageTag } from "./i18n.js";
export { withTimeout } from "./timeout.js";
