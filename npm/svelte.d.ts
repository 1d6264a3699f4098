/**
 * The elements in the templates of Svelte 5: `import type {} from "tender-checkout/svelte"`. Svelte adds a listener for
 * each attribute `on` + name of the event, such as `ontender-paid`.
 */

import type { HTMLAttributes } from "svelte/elements";
import type { TenderCheckoutElement, TenderEventMap } from "./checkout.js";
import type { TenderPaymentsElement, TenderPaymentsEventMap } from "./payments.js";
import type { TenderCheckoutAttributes, TenderListeners, TenderPaymentsAttributes } from "./attributes.js";

type Tag<Element extends EventTarget, Attributes, Events> =
  & Omit<HTMLAttributes<Element>, keyof Attributes>
  & Attributes
  & TenderListeners<Events>;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "tender-checkout": Tag<TenderCheckoutElement, TenderCheckoutAttributes, TenderEventMap>;
    "tender-payments": Tag<TenderPaymentsElement, TenderPaymentsAttributes, TenderPaymentsEventMap>;
  }
}
