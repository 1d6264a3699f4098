/* The base class of both custom elements: it loads and mounts the module, or shows an error message. */
import { create } from "./dom.js";
import { CRASHED, GONE, NOT_LOADED, UNSUPPORTED, failureNotice } from "./failure.js";
import { cachedTexts, findLocale, loadTexts, parseTexts } from "./i18n.js";
import { log } from "./log.js";
import { CrashError, loadModule, reportCrash, watchForCrash } from "./module.js";
import { upgradeProperties } from "./properties.js";
import { locate } from "./script.js";
import { skeleton } from "./skeleton.js";
import { adoptStyle } from "./style.js";
import { isSupported } from "./support.js";

/** Methods for the subclasses; a page cannot call them by accident. */
export const callModule = Symbol("callModule");
export const scheduleUpdate = Symbol("scheduleUpdate");

/** How long the module may start from what was loaded, in milliseconds. Later, the order may have got a payment. */
const LOADED_FOR = 30_000;

/** The elements in the page. */
const elements = new Set();

/**
 * The handles of a module that has crashed. They are kept so that they are never garbage-collected: that would call into
 * the module to free them.
 */
const abandonedHandles = [];

/** The element that the module's view is rendered into. */
const createCard = () => create("div", { class: "card", part: "card" });

/** Whether this is the card of a declarative shadow root, as the proxy writes it. */
const isCard = (child) =>
  child.className === "card" && child.getAttributeNames().every((name) => ["class", "part", "data-form"].includes(name));

/** A new task, so that starting the module and mounting the element don't block the page as one long task. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

export class TenderElement extends HTMLElement {
  /** The tag's name. */
  static tag;
  /** The attributes; each is also a property. */
  static attributes = [];
  /** Those that are boolean. As in HTML, one is true if it is there, whatever its value: `""` and `"false"`, too. */
  static booleans = [];
  /** Properties that are not attributes. */
  static properties = [];
  /** The texts of `./failure.js` in English, by their keys in the locale files. */
  static english = {};

  /** Starts downloads from the proxy for an element that is not created yet. `_element` may be missing. */
  static prefetch(_proxy, _element) {}

  /**
   * Loads from the proxy, while the module is loading, what the element needs. `data` are promises of what the module starts
   * from, for `mount`; `paint` is one of a view for the meantime (`content`, `isSameAs`, `replace`, `handOver`, `end`). All may be missing.
   */
  static load(_proxy, _element) {
    return {};
  }

  /** The view for the meantime that the page's HTML has in the card, if it is one. */
  static adopt(_card, _element) {
    return undefined;
  }

  static get observedAttributes() {
    return this.attributes;
  }

  #card = createCard();
  #handle; // of the mounted module; freeing it ends its timers and requests
  #loaded = {}; // `data` and `time` of the last request to the proxy
  #paint; // the view for the meantime, while it is shown
  #failure; // one of `./failure.js`, while it is shown
  #isStarting = false;
  #isOutdated = false; // whether attributes have changed since that request
  #isUpdateScheduled = false;

  // A field, as a browser without static blocks could not even say that it is too old.
  static #watch = watchForCrash((message) => {
    for (const element of elements) element.#fail(CRASHED, message);
  });

  constructor() {
    super();
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    adoptStyle(root);
    // The card of the page's HTML stays where it is: moving it would take the focus from what is in it.
    const card = [...root.children].find(isCard);
    for (const child of [...root.children]) if (child !== card) child.remove();
    if (card) this.#card = card;
    else root.append(this.#card);
    root.append(document.createElement("slot"));
  }

  connectedCallback() {
    upgradeProperties(this);
    elements.add(this);
    if (!this.#handle && !this.#failure && !this.#isStarting) this.#start();
  }

  disconnectedCallback() {
    // Moving an element disconnects and reconnects it. It is unmounted only if it is still disconnected afterwards.
    queueMicrotask(() => {
      if (this.isConnected) return;
      elements.delete(this);
      const handle = this.#handle;
      // Freeing aborts requests, which can run code of the page. The handle is removed first, so that this code can't use
      // it.
      this.#handle = this.#failure = undefined;
      this.#endPaint();
      try {
        handle?.free();
      } catch (error) {
        reportCrash(error);
      }
    });
  }

  adoptedCallback() {
    adoptStyle(this.shadowRoot);
  }

  attributeChangedCallback(_name, before, after) {
    if (before === after) return;
    this.#isOutdated = true;
    this[scheduleUpdate]();
  }

  /** Fetches the latest data; loads the module again if that failed. */
  refresh() {
    this[callModule]("refresh");
    if (this.#failure?.retryable) this.#start();
  }

  /** Calls a method of the mounted module. */
  [callModule](method, ...values) {
    try {
      this.#handle?.[method](...values);
    } catch (error) {
      reportCrash(error);
    }
  }

  /** Updates once for all attributes that the page changes in the same task. */
  [scheduleUpdate]() {
    if (this.#isUpdateScheduled) return;
    this.#isUpdateScheduled = true;
    queueMicrotask(() => {
      this.#isUpdateScheduled = false;
      this.#update();
    });
  }

  #update() {
    if (this.#failure) this.#showFailure();
    if (this.#isStarting && this.#isOutdated) this.#load();
    if (!this.#handle) return; // attributes are read when the module is mounted
    const locale = findLocale(this);
    this[callModule]("set_locale", locale, loadTexts(locale));
    this[callModule]("update");
  }

  async #start() {
    this.#failure = undefined;
    if (!isSupported) {
      this.#fail(UNSUPPORTED, "the browser lacks WebAssembly or adoptedStyleSheets, or the page's policy lacks 'wasm-unsafe-eval' in script-src");
      return;
    }
    this.#isStarting = true;
    this.#paint = this.constructor.adopt(this.#card, this);
    if (!this.#paint) this.#show(skeleton());
    try {
      locate(this.proxy);
      this.#load();
      loadTexts(findLocale(this));
      const module = await loadModule();
      await nextTask();
      if (this.isConnected && !this.#failure) this.#mount(module);
    } catch (error) {
      const failure = error instanceof CrashError ? CRASHED : error?.isGone ? GONE : NOT_LOADED;
      this.#fail(failure, `it could not be loaded: ${error?.message ?? error}`);
    } finally {
      this.#isStarting = false;
    }
  }

  /** Loads from the proxy, with the attributes of now, and shows the paint when it is there. */
  async #load() {
    const { proxy } = this;
    this.#isOutdated = false;
    const { paint, data } = proxy ? this.constructor.load(proxy, this) : {};
    const loaded = { data, time: Date.now() };
    this.#loaded = loaded;
    const view = await paint?.catch(() => {}); // without one, the skeleton is shown
    if (this.#loaded === loaded && this.#isStarting && this.isConnected && !this.#failure) this.#showPaint(view);
    else view?.end();
  }

  /** Shows a paint in place of an earlier one, which belongs to earlier attributes. */
  #showPaint(view) {
    if (!view) {
      if (this.#paint) this.#show(skeleton());
      this.#endPaint();
    } else if (this.#paint?.isSameAs(view)) {
      view.end();
    } else {
      if (this.#paint) view.replace(this.#paint);
      else this.#show(view.content, view.content.querySelector("input"));
      this.#paint = view;
    }
  }

  #endPaint() {
    this.#paint?.end();
    this.#paint = undefined;
  }

  /** Attributes and locale may have changed while the module was loading: they are read here, not before. */
  #mount(module) {
    const locale = findLocale(this);
    const { data = [], time } = this.#loaded;
    const isCurrent = !this.#isOutdated && Date.now() - time < LOADED_FOR;
    const paint = this.#paint;
    // While a paint is shown, the module's view is made outside the page.
    const card = paint ? createCard() : this.#card;
    adoptStyle(this.shadowRoot);
    let handle;
    try {
      // In a task of its own: to mount the module and to render its data in one task would block the page for long.
      const later = isCurrent ? data.map((promise) => promise?.then((value) => nextTask().then(() => value))) : [];
      handle = module.mount(this, card, locale, loadTexts(locale), ...later);
    } catch (error) {
      reportCrash(error);
      return;
    }
    // The module may have crashed without an exception reaching this call.
    if (this.#failure) abandonedHandles.push(handle);
    else this.#handle = handle;
    paint?.handOver(card, () => {
      if (this.#handle !== handle) return false;
      this.#card.replaceWith(card);
      this.#card = card;
      this.#paint = undefined;
      return true;
    });
  }

  /** Shows a failure in place of the module, and emits `tender-error`. */
  #fail(failure, message) {
    if (this.#failure) return;
    if (this.#handle) abandonedHandles.push(this.#handle);
    this.#handle = undefined;
    this.#endPaint();
    if (!this.isConnected) return; // it starts again when it is inserted
    this.#failure = failure;
    this.#showFailure();
    log("error", `<${this.localName}>:`, message, this);
    const { code, retryable } = failure;
    const detail = { code, message, retryable };
    this.dispatchEvent(new CustomEvent("tender-error", { bubbles: true, composed: true, detail }));
  }

  /** Shows the failure in the buyer's language; until its texts are loaded, in English. */
  async #showFailure() {
    const failure = this.#failure;
    const locale = findLocale(this);
    const { english } = this.constructor;
    const own = parseTexts(this.texts);
    const retry = () => (failure.retryable ? this.#start() : location.reload());
    const show = (lang, texts) => {
      const { notice, button } = failureNotice(failure, lang, { ...texts, ...own }, retry);
      this.#show(notice, button);
    };
    const showTranslated = (json) => show(locale, { ...english, ...parseTexts(json) });
    const cached = cachedTexts(locale);
    if (cached) {
      showTranslated(cached);
      return;
    }
    show("en", english);
    const json = await loadTexts(locale)?.catch(() => {});
    if (json && this.#failure === failure && locale === findLocale(this)) showTranslated(json);
  }

  /** Replaces the card's content. If the focus was in it, `focusTarget` gets the focus. */
  #show(content, focusTarget = content) {
    const hadFocus = this.shadowRoot.activeElement;
    this.#card.toggleAttribute("data-fallback", false);
    this.#card.replaceChildren(content);
    if (hadFocus) focusTarget.focus();
  }
}
