/* What the element requests from the proxy while the module is still loading. */
import { withTimeout } from "../crates/element/loader/index.js";

const TIMEOUT = 30_000; // milliseconds, as for the module's own requests

/** Elements that start within this time share a request, in milliseconds. */
const SHARED_FOR = 1_000;

/** The requests, by URL and credential. */
const requests = new Map();

/** Sends a request to the proxy, or shares that of another element. Nothing if the proxy's address is invalid, which the module reports. */
const share = (proxy, path, send, order = "") => {
  let url;
  try {
    url = new URL(`${proxy.replace(/\/+$/, "")}${path}`, document.baseURI).href;
  } catch {
    return undefined;
  }
  const key = `${url} ${order}`;
  if (!requests.has(key)) {
    const response = send(url, order);
    response.catch(() => {}); // the callers handle the error
    requests.set(key, response);
    setTimeout(() => requests.delete(key), SHARED_FOR);
  }
  return requests.get(key);
};

const fetchText = (url, order) => withTimeout(TIMEOUT, async (signal) => {
  const headers = { accept: "application/json" };
  if (order) {
    headers.authorization = `Bearer ${order}`;
    url += `?_=${Math.random()}`; // as the module's own requests (`crates/element/src/http.rs`)
  }
  const response = await fetch(url, { headers, signal });
  return { status: response.status, body: await response.text() };
});

/** A promise of the token listing's `{ status, body }`. */
export const requestTokens = (proxy) => share(proxy, "/api/v1/rates/my-tokens", fetchText);

/** A promise of the `{ status, body }` with the payment of a signed order, if it has one. */
export const requestPayment = (proxy, order) => share(proxy, "/api/v1/payment", fetchText, order);

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
    else reject(); // then there is no first paint
  };
  request.send();
});

/** A promise of the form as an HTML document, for this query. */
export const requestForm = (proxy, query) => share(proxy, `/v1/checkout.html?${query}`, fetchDocument);
