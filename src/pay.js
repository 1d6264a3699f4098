/*
 * The script of the proxy's payment page, which also works without it: replaces the rendered checkout by the live element, as
 * soon as that shows the same.
 *
 * `data-live` of the rendered card is JSON: the element's attributes, the invoice, the state that the element continues with,
 * and whether the page waits for the payment.
 */
import { storageKey } from "./storage-key.js";
import { copyInput, readFocus } from "./take-over.js";

const REFRESH_AFTER = 15_000; // milliseconds, as without scripts

const rendered = document.querySelector("[data-live]");
const { attributes, invoice, saved, waits } = JSON.parse(rendered.dataset.live);

const idOf = (state) => JSON.parse(state).payment?.transactionId;

/**
 * Saves the state where the element looks for it. What the tab has saved of the same payment is later; what it has saved of
 * another one is later only if this one has ended, as an order has one open payment.
 */
const save = () => {
  const key = storageKey(location.origin + location.pathname.replace(/\/pay$/, ""), invoice);
  const known = sessionStorage.getItem(key);
  if (saved && (known === null || (waits && idOf(known) !== idOf(saved)))) sessionStorage.setItem(key, saved);
};

const live = document.createElement("tender-checkout");
for (const [name, value] of Object.entries(attributes)) live.setAttribute(name, value);
live.hidden = true;

// From here the element knows that there is a page that a wallet's browser can open (`src/host.rs`). No slot shows it.
const page = document.createElement("a");
page.slot = "pay-page";
page.href = `${location.pathname}?${new URLSearchParams({ order: attributes.order })}`;
live.append(page);

let isSubmitted = false;

/** Whether it says where to send money. */
const asksForMoney = (root) => root.querySelector("[part=wallet]") !== null;

/** What the tab has saved of a payment may be older than the page, which shows it as paid, closed or possibly paid by now. */
const isOutdated = () =>
  asksForMoney(live.shadowRoot) && !asksForMoney(rendered) && !rendered.querySelector("form.form");

/** Whether the module shows something in place of the loader's skeleton and first paint. */
const isReady = () => {
  const card = live.shadowRoot.querySelector(".card");
  return card.hasChildNodes() && !card.querySelector(".skeleton, [data-first-paint]") && !isOutdated();
};

/** Whether the buyer is about to press or to type something in the rendered page, or has submitted its form. */
const isInUse = () => {
  const focused = document.activeElement;
  return isSubmitted || rendered.matches(":active") || (rendered.contains(focused) && focused.type !== "radio");
};

/** In one task, so that the page is drawn once. */
const replace = () => {
  if (!isReady() || isInUse()) return;
  end();
  const focus = readFocus(rendered);
  rendered.remove();
  live.hidden = false;
  const form = live.shadowRoot.querySelector("form.form");
  if (!form) return;
  copyInput(rendered, form);
  focus(form);
};

/**
 * Keeps the rendered page. Browsers with scripts don't refresh it themselves, and this script runs in older ones than the
 * loader (`crates/xtask/src/bundle/scripts.rs`).
 */
const giveUp = () => {
  end();
  live.remove();
  if (waits) setTimeout(() => location.reload(), REFRESH_AFTER);
};

const observer = new MutationObserver(replace);
const listeners = new AbortController();
const end = () => {
  observer.disconnect();
  listeners.abort();
};

if (customElements.get(live.localName)) {
  const { signal } = listeners;
  live.addEventListener("tender-error", ({ detail: { code } }) => {
    if (code === "load-failed" || code === "crashed") giveUp();
  }, { signal });
  rendered.addEventListener("submit", () => { isSubmitted = true; });
  // A click and the next focus follow in the same task.
  for (const type of ["pointerup", "pointercancel", "keyup", "focusout"]) {
    addEventListener(type, () => setTimeout(replace), { signal });
  }
  observer.observe(live.shadowRoot, { childList: true, subtree: true });
  try {
    save();
  } catch {
    // Without storage, or with a damaged state, the element starts with the form. The proxy returns the same payment.
  }
  rendered.after(live);
} else {
  giveUp();
}
