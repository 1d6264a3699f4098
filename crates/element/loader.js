/*
 * What the loaders of all elements do. It is put into each of them where they say "__TENDER_LOADER__", and finds there:
 * FILE, TAG, ATTRIBUTES, PROPERTIES (those that are no attributes), ENGLISH (what the loader says itself), begin(proxy),
 * which asks for what can be had before the module, and SERVICES, what the module may ask of the loader: undefined where
 * it asks for nothing. It leaves them TenderElement, HANDLE, CHANGE and define.
 *
 * It shows the element's frame at once, and hands over to the module. Where there is no module to hand over to, it says
 * so, and shows the element's children (the page's own fallback). The names in double underscores are filled in when
 * the elements are built.
 */

  // A module script has no currentScript: it is found by its name.
  const script = document.currentScript
    ?? [...document.scripts].findLast(({ src }) => src.replace(/[?#].*/, "").endsWith(`/${FILE}`));
  const base = new URL(".", script?.src || document.baseURI);

  // One tag is enough: with data-proxy, the script puts the element behind itself.
  if (script?.dataset.proxy) {
    const element = document.createElement(TAG);
    for (const name of ATTRIBUTES) {
      const value = script.getAttribute(`data-${name}`);
      if (value !== null) element.setAttribute(name, value);
    }
    // A script in the head has no place for an element behind it.
    if (script.closest("head")) {
      addEventListener("DOMContentLoaded", () => document.body.append(element), { once: true });
      if (document.readyState !== "loading") document.body.append(element);
    } else script.after(element);
  }

  if (customElements.get(TAG)) {
    console.warn(`<${TAG}> is registered already: this copy of ${FILE} (version ${"__TENDER_VERSION__"}) yields to the first.`);
    return;
  }

  /** Why there is no element: what the page hears, what a person reads, and the way on, where there is one. */
  const NOT_LOADED = { code: "load-failed", retryable: true, title: "load-failed-title", sentence: "load-failed", way: "try-again" };
  const UNSUPPORTED = { code: "load-failed", retryable: false, title: "load-failed-title", sentence: "unsupported" };
  const CRASHED = { code: "crashed", retryable: false, title: "crashed-title", sentence: "crashed", way: "reload" };

  /** Whether WebAssembly runs here: an old browser lacks it, a policy without 'wasm-unsafe-eval' forbids it. */
  const canRun = () => {
    try {
      return Boolean(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))); // an empty one
    } catch {
      return false;
    }
  };

  /** Every element in a page, to tell them should the module crash. */
  const elements = new Set();

  /** Ends what is loaded if it takes too long: a minute is enough for the module at 2 KB a second. */
  const limit = () => AbortSignal.timeout?.(60_000);

  /** The module, once for all elements; a failed start can be tried again. */
  let starting;
  let failedImports = 0;
  const start = () => (starting ??= (async () => {
    const signal = limit();
    const module = fetch(new URL("__TENDER_WASM__", base), { signal });
    module.catch(() => {}); // awaited below; without this a failed import would leave it unheard
    const late = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const address = new URL("__TENDER_GLUE__", base);
    // Some browsers keep in mind that a script could not be had: under another address it is asked for.
    if (failedImports) address.search = failedImports;
    const glue = await Promise.race([import(address.href), late]).catch((error) => {
      failedImports += 1;
      throw error;
    });
    await glue.default(module);
    glue.onCrash((message) => {
      // What a panic leaves behind takes no more payments: elements that come later fail too.
      starting = Promise.reject(Object.assign(new Error(message), { failure: CRASHED }));
      starting.catch(() => {}); // each of them hears of it
      for (const element of elements) element.fail(CRASHED, String(message));
    });
    return glue;
  })().catch((error) => {
    starting = undefined;
    throw error;
  }));

  // What the element needs is asked for before anything else is done. A page without one asks for nothing.
  const near = script?.dataset.proxy || document.querySelector(TAG)?.getAttribute("proxy");
  if (near) {
    start().catch(() => {}); // the element hears of it, and of the listing too
    begin(near)?.catch(() => {});
  }

  const sheet = new CSSStyleSheet();
  sheet.replaceSync("__TENDER_STYLE__");

  /** The file of each language's texts; English is built into the module. */
  const LANGUAGES = JSON.parse("__TENDER_LANGUAGES__");

  /** The texts under way, once for all elements. */
  const texts = new Map();

  /** The language to speak: the best that there is for what the element, the page or the browser wants. */
  const languageOf = (element) => {
    let tag = (element.locale || element.closest("[lang]")?.lang || navigator.language).toLowerCase();
    while (tag && !LANGUAGES[tag]) tag = tag.replace(/-?[^-]*$/, "");
    return tag || "en";
  };

  const textsOf = (language) => {
    if (!LANGUAGES[language]) return undefined;
    if (!texts.has(language)) {
      const answer = fetch(new URL(LANGUAGES[language], base), { signal: limit() }).then((file) => {
        if (!file.ok) throw new Error(`${file.url} answered with HTTP ${file.status}`);
        return file.text();
      });
      answer.catch(() => texts.delete(language)); // the module hears of it; the next element tries again
      texts.set(language, answer);
    }
    return texts.get(language);
  };

  /** Lets the page do what it has to: starting the module, making the element and showing it are three tasks, not one long one. */
  const turn = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));

  const make = (tag, attributes, ...children) => {
    const kind = ["svg", "path"].includes(tag) ? "2000/svg" : "1999/xhtml";
    const element = document.createElementNS(`http://www.w3.org/${kind}`, tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(...children);
    return element;
  };

  /** The JSON's object; an empty one where that can't be read. */
  const read = (json) => {
    try {
      return JSON.parse(json);
    } catch {
      return {};
    }
  };

  /** For the element's own class: the module's handle, and what is to be called when a property has changed. */
  const HANDLE = Symbol("handle");
  const CHANGE = Symbol("change");

  class TenderElement extends HTMLElement {
    static observedAttributes = ATTRIBUTES;

    [HANDLE]; // freeing it ends everything that it holds
    #card = document.createElement("div");
    #failure; // why there is none
    #isStarting = false;
    #isChanged = false;

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      this.#card.className = "card";
      this.#card.setAttribute("part", "card");
      root.append(this.#card, document.createElement("slot"));
    }

    connectedCallback() {
      // A property that was set before the element was defined hides the accessor.
      for (const property of [...ATTRIBUTES.map(propertyOf), ...PROPERTIES]) {
        if (!Object.hasOwn(this, property)) continue;
        const value = this[property];
        delete this[property];
        this[property] = value;
      }
      elements.add(this);
      if (!this[HANDLE] && !this.#failure && !this.#isStarting) this.#start();
    }

    disconnectedCallback() {
      // A move in the document is a disconnect and a connect: only what stays away has left.
      queueMicrotask(() => {
        if (this.isConnected) return;
        elements.delete(this);
        this[HANDLE]?.free();
        this[HANDLE] = this.#failure = undefined;
      });
    }

    attributeChangedCallback(name, before, after) {
      if (before !== after) this[CHANGE]();
    }

    /** Looks for what is new; tries again where something could not be loaded. */
    refresh() {
      this[HANDLE]?.refresh();
      if (this.#failure?.retryable) this.#start();
    }

    /** There is no element: says why to the page and to the person before it, once. */
    fail(failure, message) {
      if (this.#failure) return;
      this.#failure = failure;
      this[HANDLE] = undefined;
      this.#explain();
      console.error(`<${TAG}>:`, message, this);
      const { code, retryable } = failure;
      this.dispatchEvent(new CustomEvent("tender-error", {
        bubbles: true, composed: true, detail: { code, message, retryable },
      }));
    }

    async #start() {
      this.#isStarting = true;
      this.#failure = undefined;
      try {
        this.#showSkeleton();
        const { proxy } = this;
        const early = proxy ? begin(proxy) : undefined;
        early?.catch(() => {}); // the module hears of it
        const language = languageOf(this);
        textsOf(language);
        // The first Intl object of a page takes long to make: with the module still on its way nobody waits for it.
        if (language !== "en") setTimeout(() => new Intl.NumberFormat(language));
        const { mount } = await start();
        await turn();
        // If the proxy is another one by now, the module asks it.
        const current = proxy === this.proxy ? early : undefined;
        if (!this.isConnected || this.#failure) return;
        const handle = mount(this, this.#card, language, textsOf(language), current, SERVICES);
        if (this.#failure) return;
        this[HANDLE] = handle;
        this.#isStarting = false;
        await turn();
        if (this[HANDLE] === handle) handle.show();
      } catch (error) {
        const failure = error?.failure ?? (canRun() ? NOT_LOADED : UNSUPPORTED);
        this.fail(failure, `the ${TAG.slice(7)} could not be loaded: ${error?.message ?? error}`);
      } finally {
        this.#isStarting = false;
      }
    }

    [CHANGE]() {
      if (!this[HANDLE] && !this.#failure) return;
      // What a page changes in one go takes effect in one go.
      if (!this.#isChanged) queueMicrotask(() => this.#update());
      this.#isChanged = true;
    }

    #update() {
      this.#isChanged = false;
      if (this.#failure) this.#explain();
      const language = languageOf(this);
      this[HANDLE]?.speak(language, textsOf(language));
      this[HANDLE]?.update();
    }

    #showSkeleton() {
      const marks = Array.from({ length: 8 }, () => make("i"));
      this.#show(make("div", { class: "skeleton", role: "status", "aria-busy": "true", tabindex: "-1" }, ...marks));
    }

    /** Says why there is no element, and what to do, above the page's fallback. */
    async #explain() {
      const failure = this.#failure;
      const language = languageOf(this);
      const file = await textsOf(language)?.catch(() => {});
      if (this.#failure !== failure || language !== languageOf(this)) return;
      const words = { ...ENGLISH, ...read(file), ...read(this.texts) };
      const { title, sentence, way } = failure;
      const icon = make("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
        make("path", { d: "M12 4.5L21 19.5H3zM12 10v4.5M12 17v.2" }));
      const alert = make("div", { class: "alert", role: "alert", part: "alert" }, icon,
        make("div", {}, make("strong", {}, words[title]), make("p", {}, words[sentence])));
      const notice = make("div", { class: "notice", part: "notice", lang: file ? language : "en", dir: "auto", tabindex: "-1" }, alert);
      const button = way && make("button", { type: "button", class: "primary", part: "retry" }, words[way]);
      if (button) {
        button.onclick = () => (failure.retryable ? this.#start() : location.reload());
        notice.append(button);
      }
      notice.append(make("slot"));
      this.#show(notice, button);
    }

    /** Shows this in the card. A focus that was in what it replaces goes on to it. */
    #show(content, heir = content) {
      const hadFocus = this.shadowRoot.activeElement;
      this.#card.toggleAttribute("data-fallback", false);
      this.#card.replaceChildren(content);
      if (hadFocus) heir.focus();
    }
  }

  /** payment-token -> paymentToken */
  function propertyOf(attribute) {
    return attribute.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  }

  /** Each attribute is a property, too; the last step. */
  const define = (element) => {
    for (const name of ATTRIBUTES) {
      Object.defineProperty(element.prototype, propertyOf(name), {
        configurable: true,
        enumerable: true,
        get() { return this.getAttribute(name); },
        set(value) {
          if (value === null || value === undefined) this.removeAttribute(name);
          else this.setAttribute(name, String(value));
        },
      });
    }
    customElements.define(TAG, element);
  };
