/* What the element needs of the browser. */

/** An empty module but for a function type with a parameter of type `externref`: (module (type (func (param externref)))). */
const WITH_REFERENCE_TYPES = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 0x60, 1, 0x6f, 0];

const test = () => {
  try {
    // Throws, too, where the page's content security policy lacks 'wasm-unsafe-eval'.
    new WebAssembly.Module(Uint8Array.of(...WITH_REFERENCE_TYPES));
    return "adoptedStyleSheets" in Document.prototype && "replaceSync" in CSSStyleSheet.prototype;
  } catch {
    return false;
  }
};

/** Whether the element runs in this browser: Chrome 96, Firefox 101, Safari 16.4, or a later version. */
export const isSupported = test();
