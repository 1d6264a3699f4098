/**
 * The elements in JSX, for React 19: `import type {} from "tender-checkout/react"`. React adds a listener for each
 * attribute `on` + name of the event, such as `ontender-paid`. React 18 sets the attributes, too, but listens to no events.
 */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { TenderCheckoutElement, TenderEventMap } from "./checkout.js";
import type { TenderPaymentsElement, TenderPaymentsEventMap } from "./payments.js";
import type { TenderCheckoutAttributes, TenderListeners, TenderPaymentsAttributes } from "./attributes.js";

type Tag<Element, Attributes, Events> =
  & Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, keyof Attributes>
  & Attributes
  & TenderListeners<Events>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "tender-checkout": Tag<TenderCheckoutElement, TenderCheckoutAttributes, TenderEventMap>;
      "tender-payments": Tag<TenderPaymentsElement, TenderPaymentsAttributes, TenderPaymentsEventMap>;
    }
  }
}
