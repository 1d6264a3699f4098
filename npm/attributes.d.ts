/** The attributes of the elements in templates, which the types of React, Vue and Svelte share. */

import type { TenderCheckoutElement } from "./checkout.js";
import type { TenderPaymentsElement } from "./payments.js";

/** paymentToken: payment-token */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

/**
 * The properties of an element that reflect attributes; `undefined` leaves one out. A boolean one is never `false`: React 18, Vue and
 * Svelte may write that as a value, and an attribute that has one is true.
 */
type Reflected<Element, Property extends keyof Element & string = Exclude<keyof Element, keyof HTMLElement> & string> = {
  [Name in Property as Element[Name] extends string | boolean | null ? Name : never]?: Exclude<Element[Name], false> | undefined;
};

/** The same by the names of the attributes. */
type Attributes<Properties> = { [Name in keyof Properties as Kebab<Name & string>]: Properties[Name] };

/** The attributes of `<tender-checkout>` in camel case. `provider` has none: set the property of the element. */
export type TenderCheckoutProperties = Reflected<TenderCheckoutElement>;
export type TenderCheckoutAttributes = Attributes<TenderCheckoutProperties>;

/** The attributes of `<tender-payments>` in camel case. */
export type TenderPaymentsProperties = Reflected<TenderPaymentsElement>;
export type TenderPaymentsAttributes = Attributes<TenderPaymentsProperties>;

/** Listeners as React and Svelte name them: `ontender-paid`. */
export type TenderListeners<Events> = {
  [Name in keyof Events & string as `on${Name}`]?: ((event: Events[Name]) => void) | undefined;
};
