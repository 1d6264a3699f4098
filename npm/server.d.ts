/** For a server that renders the page: the checkout's form is in the page's HTML. */

import type { TenderCheckoutAttributes } from "./attributes.js";

export interface CheckoutTemplateOptions {
  /** The element's attribute `proxy`, as an absolute address. */
  proxy: string;
  /** The signed order. */
  order: string;
  /** The element's other attributes. Set `locale` to the language of the page. */
  attributes?: Pick<TenderCheckoutAttributes, "accept" | "ask" | "locale" | "payment-token" | "texts"> | undefined;
  /** The nonce that the page's Content Security Policy has for styles. */
  nonce?: string | undefined;
}

/**
 * The form as HTML, `<template shadowrootmode="open">...</template>`: write it into `<tender-checkout>`, before its other
 * children. It is an empty string if the order is no JWT, `texts` replaces texts of the form, or the proxy does not send the
 * form within 300 ms: then the element shows its form as soon as its script is loaded. Forms are cached for one minute.
 */
export function checkoutTemplate(options: CheckoutTemplateOptions): Promise<string>;
