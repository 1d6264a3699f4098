/* Loads the WebAssembly module, and detects when it has crashed. */
import build from "tender-build";
import { requestFile, urlOf } from "./script.js";
import { addStyle } from "./style.js";
import { withTimeout } from "./timeout.js";

const TIMEOUT = 60_000; // milliseconds: enough for 220 KB at 4 KB a second

/** The module has crashed, and no element can use it again. */
export class CrashError extends Error {}

/** A promise of the started module, as wasm-bindgen's JavaScript exports it; shared by all elements. */
let loading;

/** Loads and starts the module. After a failure the next call tries again. */
export const loadModule = () => {
  loading ??= withTimeout(TIMEOUT, load).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

const load = async (signal) => {
  const wasm = fetchWasm(signal);
  wasm.catch(() => {}); // handled below; this avoids an unhandled rejection if the import fails first
  // An import doesn't tell why it has failed; the other file's request does, if both are gone.
  const glue = await importGlue().catch((error) => wasm.then(() => { throw error; }));
  // An import cannot be aborted. If it finishes after the time-out, the next try may have started a module already.
  if (signal.aborted) throw signal.reason;
  await glue.default({ module_or_path: wasm });
  glue.on_panic(reportCrash);
  addStyle(glue.style?.());
  const idle = glue.stack_pointer();
  wasInterrupted = () => glue.stack_pointer() !== idle;
  return glue;
};

const fetchWasm = async (signal) => {
  const response = await requestFile(build.wasm, signal);
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (error) {
    // Only this page's own responses can be compiled while they download; a page may have wrapped `fetch`.
    if (response.bodyUsed) throw error;
    return response.arrayBuffer();
  }
};

/** Imports that have failed or stalled. */
let unfinishedImports = 0;

const importGlue = async () => {
  // Not every browser compares the hash of an imported module, so the pinned loader contains it.
  if (PINNED) return import("tender-glue");
  const url = urlOf(build.glue);
  // A browser imports a URL once, and some remember a failure: the next try uses another URL.
  if (unfinishedImports) url.search = unfinishedImports;
  unfinishedImports += 1;
  const glue = await import(url.href);
  unfinishedImports -= 1;
  return glue;
};

let onCrash = () => {};

/** Sets the function that is called with a message when the module crashes. */
export const watchForCrash = (callback) => {
  onCrash = callback;
};

let hasCrashed = false;

/** Reports a crash. After an exception has left the module, its state is undefined. */
export const reportCrash = (cause) => {
  if (hasCrashed) return;
  hasCrashed = true;
  const message = `the module crashed: ${cause}`;
  loading = Promise.reject(new CrashError(message));
  loading.catch(() => {}); // handled by each element that is inserted later
  onCrash(message);
};

/** Whether an exception has left the module. Valid only while the module is not running. */
let wasInterrupted = () => false;

/** Whether the stack of this error contains functions of the module or of its glue. */
const involvesModule = (error) => {
  const stack = String(error?.stack);
  return stack.includes(build.glue) || stack.includes(build.wasm);
};

/**
 * Whether the module has executed an invalid instruction. If a page's own module traps in an event listener, ours is in
 * the stack too, as it dispatched the event; but then ours is still running while the error is reported.
 */
const isTrap = (error) =>
  globalThis.WebAssembly && error instanceof WebAssembly.RuntimeError && involvesModule(error) && !involvesModule(new Error());

/*
 * Panics are reported by the module (`on_panic`). Other traps, and exceptions of the page that passed through the module,
 * end in the events below. The stack of an exception does not tell whether it passed through the module: the page may
 * have created it in an event listener, and thrown it later. The module's stack pointer does: only a function that
 * returns restores it. It is read in a new task, as only then no function of the module is running.
 */
const checkModule = (error) => {
  if (isTrap(error)) {
    reportCrash(error);
  } else {
    setTimeout(() => {
      if (!hasCrashed && wasInterrupted()) reportCrash(error);
    });
  }
};
addEventListener("error", ({ error }) => checkModule(error));
addEventListener("unhandledrejection", ({ reason }) => checkModule(reason));
