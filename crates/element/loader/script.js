/* The script element that loaded this file, and where the other files are. */
import build from "tender-build";
import { log } from "./log.js";

const addressIn = (element) => element?.src || element?.content || "";

const isThisFile = (element) => addressIn(element).replace(/[?#].*/, "").endsWith(`/${build.loader}`);

const findThisFile = (selector) => [...document.querySelectorAll(selector)].reverse().find(isThisFile);

/** `loadTender` (`npm/index.js`), which imports this file, writes the address into it. */
const meta = findThisFile("meta");

/* A module, and a tag whose script an optimiser runs, have no `currentScript`: they are found by the file name. */
const script = document.currentScript ?? meta ?? findThisFile("script[type=module],script[data-proxy]");

/** The script's `data-` attributes. */
export const dataset = script?.dataset ?? {};

/** What has this file's address; nothing if a page's cache has combined or inlined this file. */
const origin = isThisFile(script) ? script : meta;

/** The folder of the module and the texts: that of this file. */
let base = origin && new URL(".", addressIn(origin));

/** Where this file's own address is unknown, the other files are loaded from the proxy. */
export const locate = (proxy) => {
  if (base || !proxy) return;
  try {
    base = new URL(`${proxy.replace(/\/*$/, "")}/v1/`, document.baseURI);
    log("warn", `${build.loader} has no address here: its files are loaded from ${base}`);
  } catch {
    // an invalid address, which the module reports
  }
};

/** The address of one of the build's files. */
export const urlOf = (name) => new URL(name, base || document.baseURI);

/** The response with one of the build's files. The pinned loader accepts only the file that it was released with. */
export const requestFile = async (name, signal) => {
  const response = await fetch(urlOf(name), { signal, integrity: PINNED ? build.integrity[name] : "" });
  if (!response.ok) {
    const { url, status } = response;
    throw Object.assign(new Error(`${url} answered with HTTP ${status}`), { isGone: status === 404 });
  }
  return response;
};

/**
 * If the script has `data-proxy`, inserts an element after it, with the script's `data-` attributes as attributes. Once, although
 * pages run a tag again: Turbo, PJAX and htmx after a navigation, and at "back" in a copy of the page that has the element.
 */
export const insertElement = ({ tag, attributes }) => {
  if (!dataset.proxy) return;
  const element = document.createElement(tag);
  for (const name of attributes) {
    const value = script.getAttribute(`data-${name}`);
    if (value !== null) element.setAttribute(name, value);
  }
  const isInHead = script.closest("head");
  const insert = () => {
    const isThere = (other) => other === script.nextElementSibling || other.isEqualNode(element);
    if ([...document.querySelectorAll(tag)].some(isThere)) return;
    if (isInHead) document.body.append(element);
    else script.after(element);
  };
  if (isInHead && document.readyState === "loading") addEventListener("DOMContentLoaded", insert, { once: true });
  else insert();
};
