/** Types of Tender's element for a shop's back office, as `payments.js` registers it. */

import type { TenderErrorCode, TenderPayment } from "./checkout.js";

/** The `detail` of each event. */
export interface TenderPaymentsEventDetails {
  /** The list is there: so many payments are read. */
  "tender-ready": { readonly payments: number };
  /** A payment that was not there before. */
  "tender-created": { readonly payment: TenderPayment };
  /** A payment has another status than before. */
  "tender-status": {
    readonly payment: TenderPayment;
    readonly previous: { readonly statusId: string; readonly statusText: string };
  };
  "tender-error": {
    readonly code: TenderErrorCode;
    readonly message: string;
    readonly retryable: boolean;
  };
}

export type TenderPaymentsEventMap = {
  [Name in keyof TenderPaymentsEventDetails]: CustomEvent<TenderPaymentsEventDetails[Name]>;
};

/** `<tender-payments>`. Each property reflects the attribute of the same name. */
export interface TenderPaymentsElement extends HTMLElement {
  /** Address of the merchant proxy, or of the shop's backend that forwards to it and adds the key. */
  proxy: string | null;
  /** BCP 47 tag. */
  locale: string | null;
  /** The page's own texts: a JSON object of texts by their keys. */
  texts: string | null;
  theme: "auto" | "light" | "dark" | (string & {}) | null;

  /** Looks at what is new; tries again where something could not be loaded. */
  refresh(): void;

  addEventListener<Name extends keyof TenderPaymentsEventMap>(
    type: Name,
    listener: (this: TenderPaymentsElement, event: TenderPaymentsEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: TenderPaymentsElement, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tender-payments": TenderPaymentsElement;
  }
}
