/* Failures that the loader reports: the module is missing, or has crashed. */
import { create } from "./dom.js";

/*
 * `code` and `retryable` go into the detail of `tender-error`; the others are keys of texts, and `action` is that of the
 * button.
 */
export const NOT_LOADED = { code: "load-failed", retryable: true, title: "load-failed-title", message: "load-failed", action: "try-again" };
/** A newer release has taken the place of the files of this one. */
export const GONE = { ...NOT_LOADED, retryable: false, message: "crashed", action: "reload" };
export const UNSUPPORTED = { code: "load-failed", retryable: false, title: "load-failed-title", message: "unsupported" };
export const CRASHED = { code: "crashed", retryable: false, title: "crashed-title", message: "crashed", action: "reload" };

/** The message for the buyer, with a button and the page's fallback below it. */
export const failureNotice = ({ title, message, action }, lang, texts, onAction) => {
  const icon = create("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    create("path", { d: "M12 4.5L21 19.5H3zM12 10v4.5M12 17v.2" }));
  const alert = create("div", { class: "alert", role: "alert", part: "alert" }, icon,
    create("div", {}, create("strong", {}, texts[title]), create("p", {}, texts[message])));
  const notice = create("div", { class: "notice", part: "notice", lang, dir: "auto", tabindex: "-1" }, alert);
  let button;
  if (action) {
    button = create("button", { type: "button", class: "primary", part: "retry" }, texts[action]);
    button.addEventListener("click", onAction);
    notice.append(button);
  }
  notice.append(create("slot"));
  return { notice, button };
};
