/* The style sheets that all elements of a document share. */
import text from "tender-style";
import { canAdoptStyles } from "./support.js";

/** The texts: the loader's, then the module's, once it is loaded. */
const texts = [text];

/** The sheets of a document: a constructed style sheet can be used in one document only. */
const sheets = new WeakMap();

/** Adds the module's styles. */
export const addStyle = (more) => {
  if (more && !texts.includes(more)) texts.push(more);
};

/** Applies the style sheets to a shadow root. */
export const adoptStyle = (root) => {
  const { ownerDocument } = root;
  const window = ownerDocument.defaultView;
  if (!canAdoptStyles || !window) return; // a document without a window is not displayed
  if (!sheets.has(ownerDocument)) sheets.set(ownerDocument, []);
  const adopted = sheets.get(ownerDocument);
  for (const content of texts.slice(adopted.length)) {
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(content);
    adopted.push(sheet);
  }
  root.adoptedStyleSheets = adopted;
};
