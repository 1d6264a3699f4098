/* What the elements need of the browser. */

/** Whether scripts can create style sheets. */
export const canAdoptStyles = "adoptedStyleSheets" in Document.prototype && "replaceSync" in CSSStyleSheet.prototype;

/** A module with only a function type that has a parameter of type `externref`: (module (type (func (param externref)))). */
const WITH_REFERENCE_TYPES = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 0x60, 1, 0x6f, 0];

const canRunModule = () => {
  try {
    return Boolean(new WebAssembly.Module(Uint8Array.of(...WITH_REFERENCE_TYPES)));
  } catch {
    return false; // an older browser, or the page's content security policy lacks 'wasm-unsafe-eval'
  }
};

/** Whether the elements run in this browser: Chrome 96, Firefox 101, Safari 16.4, or a later version. */
export const isSupported = canAdoptStyles && canRunModule();
