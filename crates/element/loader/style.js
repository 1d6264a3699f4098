/* The style sheet that all elements of a document share. */
import text from "tender-style";
import { canAdoptStyles } from "./support.js";

/** A constructed style sheet can be used in one document only. */
const sheets = new WeakMap();

/** Applies the style sheet to a shadow root. */
export const adoptStyle = (root) => {
  const { ownerDocument } = root;
  const window = ownerDocument.defaultView;
  if (!canAdoptStyles || !window) return; // a document without a window is not displayed
  let sheet = sheets.get(ownerDocument);
  if (!sheet) {
    sheet = new window.CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(ownerDocument, sheet);
  }
  root.adoptedStyleSheets = [sheet];
};
