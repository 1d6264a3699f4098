/* What the element requests from the proxy while the module is still loading. */
import { withTimeout } from "../crates/element/loader/index.js";

const TIMEOUT = 30_000; // milliseconds, as for the module's own requests

/** Elements that start within this time share a request, in milliseconds. */
const SHARED_FOR = 1_000;

/** The requests, by URL. */
const requests = new Map();

/** Sends a request to the proxy, or shares that of another element. Nothing if the proxy's address is invalid, which the module reports. */
const share = (proxy, path, send) => {
  let url;
  try {
    url = new URL(`${proxy.replace(/\/+$/, "")}${path}`, document.baseURI).href;
  } catch {
    return undefined;
  }
  if (!requests.has(url)) {
    const response = send(url);
    response.catch(() => {}); // the callers handle the error
    requests.set(url, response);
    setTimeout(() => requests.delete(url), SHARED_FOR);
  }
  return requests.get(url);
};

const fetchText = (url) => withTimeout(TIMEOUT, async (signal) => {
  const response = await fetch(url, { headers: { accept: "application/json" }, signal });
  return { status: response.status, body: await response.text() };
});

/** A promise of the token listing's `{ status, body }`. */
export const requestTokens = (proxy) => share(proxy, "/api/v1/rates/my-tokens", fetchText);

/**
 * XMLHttpRequest makes a document of a response. A text would have to be parsed by functions that a page can forbid with
 * Trusted Types. The document has no window: its scripts do not run.
 */
const fetchDocument = (url) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open("GET", url);
  request.responseType = "document";
  request.timeout = TIMEOUT;
  request.onloadend = () => {
    if (request.status === 200 && request.response) resolve(request.response);
    else reject(new Error(`HTTP ${request.status}`));
  };
  request.send();
});

/** A promise of the form as an HTML document, for this query. */
export const requestForm = (proxy, query) => share(proxy, `/v1/checkout.html?${query}`, fetchDocument);
