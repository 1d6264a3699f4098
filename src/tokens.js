/* The token listing, requested while the module is still loading. */
import { withTimeout } from "../crates/element/loader/index.js";

const TIMEOUT = 30_000; // milliseconds, as for the module's own requests

/** Elements that start within this time share a request, in milliseconds. */
const SHARED_FOR = 1_000;

/** The requests, by URL. */
const requests = new Map();

const request = (url) => withTimeout(TIMEOUT, async (signal) => {
  const response = await fetch(url, { headers: { accept: "application/json" }, signal });
  return { status: response.status, body: await response.text() };
});

/** A promise of the listing's `{ status, body }`; nothing if the proxy's address is invalid, which the module reports. */
export const prefetchTokens = (proxy) => {
  let url;
  try {
    url = new URL(`${proxy.replace(/\/+$/, "")}/api/v1/rates/my-tokens`, document.baseURI).href;
  } catch {
    return undefined;
  }
  if (!requests.has(url)) {
    const listing = request(url);
    listing.catch(() => {}); // the module reports it, if it still needs the listing
    requests.set(url, listing);
    setTimeout(() => requests.delete(url), SHARED_FOR);
  }
  return requests.get(url);
};
