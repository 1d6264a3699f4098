/*
 * Tender's loader: the one file with a stable name.
 *
 * It registers <tender-checkout>, shows its frame at once, asks for the tokens while the module is
 * on its way, and hands over to the module. This is what the checkout has of its own; what it
 * shares with the other element (crates/element/loader.js) is put in when the widget is built.
 */
(() => {
  "use strict";

  const FILE = "checkout.js";
  const TAG = "tender-checkout";
  const ATTRIBUTES = [
    "proxy", "order", "token", "quantity", "invoice-number", "item-number", "payment-token",
    "accept", "ask", "purchase-email", "purchase-name", "locale", "theme", "texts",
  ];
  const PROPERTIES = ["provider"];
  const PATIENCE = 30_000; // milliseconds, as in the module

  /** What the loader says itself, as in the files of texts. */
  const ENGLISH = {
    "load-failed-title": "The checkout could not be loaded",
    "load-failed": "Check your connection, then try again.",
    "unsupported": "It can't run in this browser. Use another browser, or choose another way to pay.",
    "crashed-title": "The checkout stopped working",
    "crashed": "Reload the page to go on. A payment that you have started is kept.",
    "try-again": "Try again",
    "reload": "Reload the page",
  };

  /** Asks for JSON, and reads the answer whole: what the loader asks for is there when the module is. */
  const ask = (url) => {
    const read = async () => {
      const options = { headers: { accept: "application/json" }, signal: AbortSignal.timeout?.(PATIENCE) };
      const answer = await fetch(url, options);
      return { status: answer.status, body: await answer.text() };
    };
    const answer = read();
    answer.catch(() => {}); // who waits for it hears of it, if anybody still does
    return answer;
  };

  /** The token listings under way, so that elements with the same proxy share one: what can be had before the module. */
  const listings = new Map();
  const begin = async (proxy) => {
    const url = new URL(`${proxy.replace(/\/+$/, "")}/api/v1/rates/my-tokens`, document.baseURI).href;
    if (!listings.has(url)) {
      listings.set(url, ask(url));
      setTimeout(() => listings.delete(url), 1000);
    }
    return listings.get(url);
  };

  /** What the module has the loader do, besides: ask again, and add rules to the stylesheet of all elements. */
  const SERVICES = {
    ask,
    style(rules) {
      try {
        sheet.insertRule(`@media{${rules}}`, sheet.cssRules.length);
      } catch (error) {
        console.error(error); // a payment without its styles is better than none: nothing may break the module
      }
    },
  };

  "__TENDER_LOADER__";

  class TenderCheckout extends TenderElement {
    #provider = null;

    /** A wallet of the shop's own, besides those of the buyer's browser: an EIP-1193 provider. */
    get provider() {
      return this.#provider;
    }
    set provider(provider) {
      this.#provider = provider ?? null;
      this[CHANGE]();
    }

    /** Goes back to the choice. A payment that exists stays as it is. */
    reset() {
      this[HANDLE]?.reset();
    }
  }

  define(TenderCheckout);
})();
