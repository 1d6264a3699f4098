/* The first paint in the page, until the module's own view takes its place. */

/** A button or a key is down, or an input method composes: what follows belongs to the same element. */
const HOLDS = { pointerdown: "button", keydown: "key", compositionstart: "text" };
const RELEASES = { pointerup: "button", pointercancel: "button", keyup: "key", compositionend: "text" };

/** The control of `form` that is the same as this one of another tree. */
const counterpart = (form, { id, type, value }) => [...form.elements].find((other) =>
  other.id === id && other.type === type && (type !== "radio" || other.value === value));

const emit = (input, type) => input.dispatchEvent(new Event(type, { bubbles: true }));

/** Enters into `form` what the buyer has chosen and typed. What is still as it was at first is left to the attributes. */
export const copyInput = (root, form) => {
  for (const old of root.querySelectorAll("input")) {
    const input = counterpart(form, old);
    if (!input) continue;
    if (old.type !== "radio") {
      if (old.value === old.defaultValue) continue;
      input.value = old.value;
      emit(input, "input");
    } else if (old.checked && !old.defaultChecked) {
      input.checked = true;
      emit(input, "change");
    }
  }
};

/** The focus and the selection in `root`: a function that sets them in the same control of a form. */
export const readFocus = (root) => {
  const focused = root.getRootNode().activeElement;
  if (!focused || !root.contains(focused)) return () => {};
  // An e-mail field has no selection that scripts can read.
  const { selectionStart, selectionEnd, selectionDirection } = focused;
  return (form) => {
    const control = counterpart(form, focused);
    control?.focus({ preventScroll: true });
    if (control && typeof selectionStart === "number") control.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  };
};

/** An image that is shown already is shown again at once, not when it is next decoded. */
const keepImages = (root, card) => {
  const shown = new Set([...root.querySelectorAll("img")].filter((image) => image.complete).map((image) => image.src));
  for (const image of card.querySelectorAll("img")) {
    if (!shown.has(image.src)) continue;
    image.decoding = "sync";
    image.loading = "eager";
  }
};

export class FirstPaint {
  #held = new Set();
  #isSubmitted = false;
  #listeners = new AbortController();
  #onRelease = () => {};

  #isCurrent;
  #identity;

  /**
   * `content` is the form, `listing` the JSON that it was rendered from. `isCurrent` tells whether it shows the attributes of
   * now. `identity` is the same for forms of the same content and order.
   */
  constructor(content, isCurrent, identity, listing) {
    this.content = content;
    this.#isCurrent = isCurrent;
    this.#identity = identity;
    // An image that can't be loaded leaves the first letter.
    content.addEventListener("error", ({ target }) => target.remove(), true);
    // For code that needs the module's own view, such as tests.
    content.toggleAttribute("data-first-paint", true);
    this.listing = listing;
    const { signal } = this.#listeners;
    for (const [type, held] of Object.entries(HOLDS)) content.addEventListener(type, () => this.#held.add(held));
    // A click follows in the same task. Something else may be down by then.
    const release = (ended) => setTimeout(() => {
      for (const held of ended) this.#held.delete(held);
      this.#onRelease();
    });
    for (const [type, held] of Object.entries(RELEASES)) addEventListener(type, () => release([held]), { capture: true, signal });
    addEventListener("blur", () => release(Object.values(HOLDS)), { signal });
    // In a frame that is sandboxed without `allow-forms`, there is a click but no submit.
    for (const type of ["submit", "click"]) content.addEventListener(type, (event) => this.#submit(event));
  }

  /** Remembers that the buyer wants to pay, and shows that something is under way. */
  #submit(event) {
    const button = this.content.querySelector("[type=submit]");
    if (event.type === "click" && !button.contains(event.target)) return;
    event.preventDefault();
    if (this.#isSubmitted) return;
    this.#isSubmitted = true;
    button.className += " busy";
    button.setAttribute("aria-disabled", "true");
    button.firstElementChild.textContent = button.dataset.busy;
  }

  /** Whether another one would show the same, so that this one can stay as the buyer has left it. */
  isSameAs(other) {
    return this.#identity !== undefined && this.#identity === other.#identity;
  }

  /** Shows this one, for changed attributes, in place of an earlier one. */
  replace(earlier) {
    copyInput(earlier.content, this.content.querySelector("form"));
    const focus = readFocus(earlier.content);
    earlier.content.replaceWith(this.content);
    focus(this.content.querySelector("form"));
    earlier.end();
  }

  /** Ends the listeners. */
  end() {
    this.#listeners.abort();
    this.#onRelease = () => {};
  }

  /**
   * Calls `swap`, which replaces the first paint by `card`, once the module shows something else than the skeleton in it
   * and the buyer is not in the middle of a press. What the buyer chose and typed, the focus and the selection stay, all in
   * one task. If the buyer has pressed "Pay", the form is submitted, unless the attributes have changed: it may have another
   * price.
   */
  handOver(card, swap) {
    const tryNow = () => {
      if (this.#held.size > 0 || card.querySelector(".skeleton")) return;
      observer.disconnect();
      this.end();
      const focus = readFocus(this.content);
      keepImages(this.content, card);
      if (!swap()) return;
      const form = card.querySelector("form");
      if (!form) return;
      copyInput(this.content, form);
      focus(form);
      if (this.#isSubmitted && this.#isCurrent()) form.querySelector("[type=submit]").click();
    };
    const observer = new MutationObserver(tryNow);
    observer.observe(card, { childList: true, subtree: true });
    this.#onRelease = tryNow;
    tryNow();
  }
}
