/*
 * Tender's loader for a shop's back office: the one file of it with a stable name.
 *
 * It registers <tender-payments>. What it shares with the checkout's loader
 * (crates/element/loader.js) is put in when the element is built.
 */
(() => {
  "use strict";

  const FILE = "payments.js";
  const TAG = "tender-payments";
  const ATTRIBUTES = ["proxy", "locale", "theme", "texts"];
  const PROPERTIES = [];

  /** What the loader says itself, as in the files of texts. */
  const ENGLISH = {
    "load-failed-title": "The payments could not be loaded",
    "load-failed": "Check your connection, then try again.",
    "unsupported": "They can't be shown in this browser. Use another browser.",
    "crashed-title": "The list of payments stopped working",
    "crashed": "Reload the page to go on. No payment is changed by that.",
    "try-again": "Try again",
    "reload": "Reload the page",
  };

  /** Nothing can be had before the module: it holds the key. */
  const begin = () => undefined;
  const SERVICES = undefined;

  "__TENDER_LOADER__";

  define(class TenderPayments extends TenderElement {});
})();
