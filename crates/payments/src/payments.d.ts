/** Types of the `<tender-payments>` element that `payments.js` registers. */

import type { TenderElement, TenderEvents, TenderSharedEventDetails } from "./checkout.js";

/** The `detail` of each event of the dashboard. */
export interface TenderPaymentsEventDetails extends TenderSharedEventDetails {
  /** How many payments are loaded. */
  "tender-ready": { readonly payments: number };
}

export type TenderPaymentsEventMap = TenderEvents<TenderPaymentsEventDetails>;

/**
 * `<tender-payments>`, the dashboard for a shop's back office. It dispatches `tender-created` for each new payment, and
 * `tender-status` for each change of a status.
 */
export interface TenderPaymentsElement extends TenderElement<TenderPaymentsEventMap> {
  /** Fetches new payments and status changes; retries if something could not be loaded. */
  refresh(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tender-payments": TenderPaymentsElement;
  }
}
