/* Registers a custom element, once per page. */
import build from "tender-build";
import { log } from "./log.js";
import { loadModule } from "./module.js";
import { reflectAttributes } from "./properties.js";
import { dataset, insertElement, locate } from "./script.js";
import { isSupported } from "./support.js";

/** Registers the class of an element (`./element.js`) under its `tag`. */
export const define = (Element) => {
  const { tag } = Element;
  insertElement(Element);
  if (customElements.get(tag)) {
    log("warn", `<${tag}> is registered already: this copy of ${build.loader} (version ${build.version}) does nothing.`);
    return;
  }
  // Downloads start before the element is created. A page without an element downloads nothing.
  const element = document.querySelector(tag);
  const proxy = dataset.proxy || element?.getAttribute("proxy");
  if (proxy && isSupported) {
    locate(proxy);
    Element.prefetch(proxy, element);
    loadModule().catch(() => {}); // the element handles the failure
  }
  reflectAttributes(Element);
  customElements.define(tag, Element);
};
