/* Loads the script of an element from a merchant proxy. Nothing here runs at import, so that a server can import it. */

/** The load of each script, by its address. */
const loads = new Map();

/** The element that a script registers. The file is `checkout.js` or, if it is pinned, `checkout-VERSION-HASH.js`. */
const tagOf = ({ pathname }) => `tender-${pathname.split("/").pop().split(/[-.]/, 1)}`;

/** Only a script element can have a nonce or a hash. */
const insertScript = (src, { integrity, nonce }) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.addEventListener("load", resolve);
  script.addEventListener("error", () => {
    script.remove();
    reject();
  });
  if (nonce) script.nonce = nonce;
  if (integrity) {
    script.integrity = integrity;
    script.crossOrigin = "anonymous"; // browsers check the hash of a script of another origin only with CORS
  }
  script.src = src; // not as a string: a page that requires Trusted Types accepts only its `TrustedScriptURL`
  document.head.append(script);
});

let failedImports = 0;

/** A page that requires Trusted Types needs no policy for an import. */
const importScript = async (url) => {
  const address = new URL(url);
  // Some browsers remember that an import failed: the next one uses another address.
  if (failedImports) address.searchParams.set("retry", failedImports);
  // The script reads its own address here: it can't use `import.meta`, which is an error in a classic script.
  const meta = document.createElement("meta");
  meta.name = "tender-loader";
  meta.content = url.href;
  document.head.append(meta);
  try {
    await import(/* @vite-ignore */ /* webpackIgnore: true */ address.href);
  } catch (error) {
    failedImports += 1;
    throw error;
  } finally {
    meta.remove();
  }
};

const load = async (src, url, options) => {
  const tag = tagOf(url);
  if (customElements.get(tag)) return;
  try {
    await (options.integrity || options.nonce ? insertScript(src, options) : importScript(url));
  } catch (cause) {
    const advice = "check the address, the network and the page's Content Security Policy";
    throw new Error(`${url.href} could not be loaded: ${advice}`, { cause });
  }
  if (!customElements.get(tag)) {
    throw new Error(`${url.href} did not register <${tag}>: check that it is the proxy's checkout.js or payments.js`);
  }
};

export const loadTender = async ({ src, ...options }) => {
  if (typeof document === "undefined") return;
  const url = new URL(src, document.baseURI);
  if (!loads.has(url.href)) {
    const loading = load(src, url, options);
    loads.set(url.href, loading);
    loading.catch(() => loads.delete(url.href)); // the next call tries again
  }
  await loads.get(url.href);
};
