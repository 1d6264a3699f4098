/*
 * The first paint: the form as HTML, rendered by the proxy, for the time until the module is loaded.
 *
 * The address of the request has nothing personal. A proxy without this route, or one that fails, costs nothing: the
 * skeleton stays, and the module and the token listing are requested at the same time.
 */
import { languageTag } from "../crates/element/loader/index.js";
import { readOrder } from "./order.js";
import { requestForm, requestPayment, requestTokens } from "./requests.js";
import { storageKey } from "./storage-key.js";
import { FirstPaint } from "./take-over.js";

/** The attributes that the proxy needs as they are. */
const PASSED_ON = ["accept", "payment-token", "ask"];

/** The query of the request: what the form shows of the element's attributes. */
const queryOf = (element) => {
  const { token, quantity, itemNumber } = readOrder(element);
  const known = { token, quantity, "item-number": itemNumber };
  for (const name of PASSED_ON) known[name] = element.getAttribute(name)?.trim();
  known.locale = languageTag(element);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(known)) {
    if (value) query.set(name, value);
  }
  return query;
};

/** A function that tells whether a form would still show the same as now. */
const watch = (element, now = `${queryOf(element)}`) => () => `${queryOf(element)}` === now;

/** Whether the tab has saved a payment of the order. */
const hasPayment = (proxy, element) => {
  const { href } = new URL(proxy, document.baseURI);
  try {
    return sessionStorage.getItem(storageKey(href.replace(/\/+$/, ""), readOrder(element).invoiceNumber)) !== null;
  } catch {
    return false; // a sandboxed frame has no storage
  }
};

/** A promise of the form as a document, and whether it is still current; nothing if it would be another one than the module's. */
const request = (proxy, element) => {
  try {
    // The module will first show a saved payment, or the shop's own texts.
    const showsAnother = element.getAttribute("texts")?.trim() || hasPayment(proxy, element);
    return showsAnother ? [] : [requestForm(proxy, queryOf(element)), watch(element)];
  } catch {
    return []; // invalid attributes, which the module reports
  }
};

/** A promise of the order's payment, which another tab or another device may have created. */
const requestFound = (proxy, element) => {
  try {
    const order = element.getAttribute("order")?.trim();
    return order && !hasPayment(proxy, element) ? requestPayment(proxy, order) : undefined;
  } catch {
    return undefined;
  }
};

/** Starts the downloads for an element that is not created yet. */
export const prefetch = (proxy, element) => {
  if (element) request(proxy, element);
  requestTokens(proxy);
};

/** `paint`, a promise of the first paint, and `data`, those of the token listing and the payment that the module starts from. */
export const load = (proxy, element) => {
  const found = requestFound(proxy, element);
  const [form, isCurrent] = request(proxy, element);
  let isFound = false;
  found?.then(({ status }) => { isFound = status === 200; }, () => {});
  const paint = form?.then((html) => {
    if (isFound) throw new Error(); // the order has a payment
    return read(html, element, isCurrent);
  });
  const listing = requestTokens(proxy);
  if (!paint || !listing) return { data: [listing, found] };
  const embedded = paint.then((first) => ({ status: 200, body: first.listing }));
  // Whichever is there first; if neither is, the module says what is wrong with the listing. Not `Promise.any`, which
  // zone.js 0.11 lacks.
  const tokens = new Promise((resolve) => {
    embedded.then(resolve, () => resolve(listing));
    listing.then((response) => response.status === 200 && resolve(response), () => {});
  });
  tokens.catch(() => {}); // the module reports it
  return { paint, data: [tokens, found] };
};

/*
 * The HTML comes from the same server as the wallet addresses. All the same, only what a form consists of is shown, so that
 * another page that is returned in its place (a login, an error) is not.
 */
const ELEMENTS = new Set("b bdi button div font form header img input label p path span svg".split(" "));
const ATTRIBUTES = new Set((
  "action alt autocapitalize autocomplete checked class d decoding dir focusable for height id inputmode lang loading"
  + " method name novalidate part referrerpolicy role spellcheck src target translate type value viewBox width"
).split(" "));

/** Attributes that only describe. */
const DESCRIBES = /^(aria|data)-/;

/** Page translators wrap what they have translated in `font` elements. */
const isOfTranslator = (localName, name) => (localName === "font" && name === "style") || name.startsWith("_mst");

const isExpected = ({ localName, attributes }) => ELEMENTS.has(localName)
  && [...attributes].every(({ name }) => ATTRIBUTES.has(name) || DESCRIBES.test(name) || isOfTranslator(localName, name));

const areExpected = (root) => [root, ...root.querySelectorAll("*")].every(isExpected);

/** Whether this is a form that offers tokens and can be submitted, and nothing else. */
const isForm = (root) => root?.className === "locale-root" && areExpected(root)
  && root.querySelector("form [type=radio]") && root.querySelector("form [type=submit]");

/** Whether each token that the form offers is in the listing. */
const isOfListing = (root, listing) => {
  const listed = listing.map((record) => String(record?.token).trim().toLowerCase());
  return [...root.querySelectorAll("form [type=radio]")].every(({ value }) => listed.includes(value));
};

/** The first paint in this document; an exception if it is anything else. */
const read = ({ body }, element, isCurrent) => {
  const [root, script, ...others] = body.children;
  const isFormAndListing = isForm(root) && script?.type === "application/json" && isOfListing(root, JSON.parse(script.textContent));
  if (!isFormAndListing || others.length) throw new Error(); // an error page, or the like
  // A copy, as elements share the document.
  const content = document.importNode(root, true);
  fillKnown(content, element);
  return new FirstPaint(content, isCurrent, identity(script, element), script.textContent);
};

/** What two forms of the same content and the same signed order have in common. */
const identity = ({ dataset }, element) => {
  const order = element.getAttribute("order")?.trim();
  return dataset.form && order ? `${dataset.form} ${order}` : undefined;
};

/** Fills in what the shop knows about the buyer, unless the buyer has typed something else. */
const fillKnown = (root, element) => {
  const { email, name } = readOrder(element);
  for (const [id, value] of Object.entries({ email, name })) {
    const field = root.querySelector(`#${id}`);
    if (field && value) field.defaultValue = value;
  }
};

/**
 * The form that the shop's HTML has in the card; nothing if it is anything else than a form of the proxy for the element's
 * order. `load` finds out whether it is the form of now.
 */
export const adopt = (card, element) => {
  try {
    const [root, ...others] = card.children;
    const of = identity(card, element);
    const isOfOrder = root?.querySelector("form > [name=order]")?.value === element.getAttribute("order")?.trim();
    if (!of || others.length || !isOfOrder || !isForm(root)) return undefined;
    fillKnown(root, element);
    for (const image of root.querySelectorAll("img")) {
      if (image.complete && !image.naturalWidth) image.remove(); // it could not be loaded
    }
    return new FirstPaint(root, watch(element), of);
  } catch {
    return undefined; // invalid attributes, which the module reports
  }
};
