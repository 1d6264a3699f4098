/** Types of Tender's element for a shop's back office, as `payments.js` registers it. */

import type { TenderElement, TenderEvents, TenderSharedEventDetails } from "./checkout.js";

/** The `detail` of each event. */
export interface TenderPaymentsEventDetails extends TenderSharedEventDetails {
  /** The list is there: so many payments are read. */
  "tender-ready": { readonly payments: number };
}

export type TenderPaymentsEventMap = TenderEvents<TenderPaymentsEventDetails>;

/**
 * `<tender-payments>`. `tender-created` tells of a payment that was not there before, `tender-status` of one that has
 * another status than before.
 */
export interface TenderPaymentsElement extends TenderElement<TenderPaymentsEventMap> {
  /** Looks at what is new; tries again where something could not be loaded. */
  refresh(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tender-payments": TenderPaymentsElement;
  }
}
