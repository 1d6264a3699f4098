/* The script element that loaded this file. */
import build from "tender-build";

const addressIn = (element) => element?.src || element?.content || "";

const isThisFile = (element) => addressIn(element).replace(/[?#].*/, "").endsWith(`/${build.loader}`);

/*
 * A module has no `currentScript`: it is found by its file name. `loadTender` (`npm/index.js`), which imports this file, writes
 * the address into a `<meta>`.
 */
const findModule = () => [...document.querySelectorAll("script[type=module],meta")].reverse().find(isThisFile);

const script = document.currentScript ?? findModule();

/** The script's `data-` attributes. */
export const dataset = script?.dataset ?? {};

/** The folder that this file was loaded from: the module and the texts are in it. */
export const base = new URL(".", addressIn(script) || document.baseURI);

/** The response with one of the build's files. The pinned loader accepts only the file that it was released with. */
export const requestFile = async (name, signal) => {
  const response = await fetch(new URL(name, base), { signal, integrity: PINNED ? build.integrity[name] : "" });
  if (!response.ok) throw new Error(`${response.url} answered with HTTP ${response.status}`);
  return response;
};

/** If the script has `data-proxy`, inserts an element after it, with the script's `data-` attributes as attributes. */
export const insertElement = ({ tag, attributes }) => {
  if (!dataset.proxy) return;
  const element = document.createElement(tag);
  for (const name of attributes) {
    const value = script.getAttribute(`data-${name}`);
    if (value !== null) element.setAttribute(name, value);
  }
  if (!script.closest("head")) {
    script.after(element);
  } else if (document.readyState === "loading") {
    addEventListener("DOMContentLoaded", () => document.body.append(element), { once: true });
  } else {
    document.body.append(element);
  }
};
