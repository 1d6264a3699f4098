/* Locales and their texts. English is built into the loader and into the module. */
import build from "tender-build";
import { requestFile } from "./script.js";
import { withTimeout } from "./timeout.js";

const TIMEOUT = 30_000; // milliseconds

/** The requests for texts, by locale; all elements share them. */
const requests = new Map();

/** The texts that have been loaded, by locale. */
const loaded = new Map();

/** The language of what is around the element, also outside of a shadow root that it is in. */
const languageAround = (element) =>
  element && (element.closest("[lang]")?.lang ?? languageAround(element.getRootNode().host));

/** The language tag of the element, the page or the browser. */
export const languageTag = (element) =>
  element.getAttribute("locale") || languageAround(element) || navigator.language || "";

/** The best available locale for it. */
export const findLocale = (element) => {
  // Also as programs write it (de_DE), and by the codes of Hebrew and Indonesian before 1989.
  let tag = languageTag(element).toLowerCase().replace(/_/g, "-").replace(/^iw\b/, "he").replace(/^in\b/, "id");
  // Traditional characters are another script than that of `zh`.
  if (/^zh-(hant|tw|hk|mo)\b/.test(tag)) return "en";
  // fr-CA, then fr
  while (tag && !Object.hasOwn(build.locales, tag)) tag = tag.replace(/-?[^-]*$/, "");
  return tag || "en";
};

/** A promise of the locale file's content; nothing for English. */
export const loadTexts = (locale) => {
  if (locale === "en") return undefined;
  if (!requests.has(locale)) {
    const request = withTimeout(TIMEOUT, async (signal) => {
      const response = await requestFile(build.locales[locale], signal);
      return response.text();
    });
    request.then(
      (json) => loaded.set(locale, json),
      () => requests.delete(locale), // the next element tries again
    );
    requests.set(locale, request);
  }
  return requests.get(locale);
};

/** The locale file's content, if it is loaded. */
export const cachedTexts = (locale) => loaded.get(locale);

/** An object of texts by their keys; an empty one if the JSON is invalid or missing. Values that are not strings are ignored. */
export const parseTexts = (json) => {
  const texts = {};
  try {
    for (const [key, text] of Object.entries(JSON.parse(json))) {
      if (typeof text === "string") texts[key] = text;
    }
  } catch {
    // The module reports it, if it is the page's mistake.
  }
  return texts;
};
