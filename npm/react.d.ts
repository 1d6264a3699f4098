/**
 * The checkout as a component for React 18 and 19, and both elements in JSX. In React 19, an element has a listener for each
 * attribute `on` + name of the event, such as `ontender-paid`. React 18 sets the attributes, too, but listens to no events.
 */

import type { DetailedHTMLProps, ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from "react";
import type { TenderCheckoutElement, TenderEventMap } from "./checkout.js";
import type { TenderPaymentsElement, TenderPaymentsEventMap } from "./payments.js";
import type {
  TenderCheckoutAttributes,
  TenderCheckoutProperties,
  TenderListeners,
  TenderPaymentsAttributes,
} from "./attributes.js";

/** `onPaid` for `tender-paid`. */
type Callbacks<Events> = {
  [Name in keyof Events as Name extends `tender-${infer Event}` ? `on${Capitalize<Event>}` : never]?:
    | ((event: Events[Name]) => void)
    | undefined;
};

interface OwnProps extends TenderCheckoutProperties, Callbacks<TenderEventMap> {
  /** A wallet added by the shop. Pass the same object at each render. */
  provider?: TenderCheckoutElement["provider"] | undefined;
}

/** The attributes of the element in camel case, a prop for each event, and what React passes to every HTML element. */
export interface TenderCheckoutProps extends OwnProps, Omit<HTMLAttributes<TenderCheckoutElement>, keyof OwnProps> {}

/** `<tender-checkout>`. It does not load the element: call `loadTender` in an effect. Its children are the fallback. */
export declare const TenderCheckout: ForwardRefExoticComponent<TenderCheckoutProps & RefAttributes<TenderCheckoutElement>>;

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
