/* Loads the script of an element from a merchant proxy. Nothing here runs at import, so that a server can import it. */

/** The load of each script, by its address. */
const loads = new Map();

/** The element that a script registers: `tender-` and its file name, without `.js`. */
const tagOf = ({ pathname }) => `tender-${pathname.split("/").pop().replace(/\.js$/, "")}`;

const load = (url, { integrity, nonce }) => new Promise((resolve, reject) => {
  const tag = tagOf(url);
  if (customElements.get(tag)) {
    resolve();
    return;
  }
  const script = document.createElement("script");
  const fail = (reason) => {
    script.remove();
    reject(new Error(`${url.href} ${reason}`));
  };
  script.addEventListener("error", () => {
    fail("could not be loaded: check the address, the network and the page's Content Security Policy");
  });
  script.addEventListener("load", () => {
    if (customElements.get(tag)) resolve();
    else fail(`did not register <${tag}>: check that it is the proxy's checkout.js or payments.js`);
  });
  if (nonce) script.nonce = nonce;
  if (integrity) {
    script.integrity = integrity;
    script.crossOrigin = "anonymous"; // browsers check the hash of a script of another origin only with CORS
  }
  script.src = url.href;
  document.head.append(script);
});

export const loadTender = async ({ src, ...options }) => {
  if (typeof document === "undefined") return;
  const url = new URL(src, document.baseURI);
  if (!loads.has(url.href)) {
    const loading = load(url, options);
    loads.set(url.href, loading);
    loading.catch(() => loads.delete(url.href)); // the next call tries again
  }
  await loads.get(url.href);
};
