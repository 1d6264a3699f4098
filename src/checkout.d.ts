/** Types of Tender's checkout element, as `checkout.js` registers it. */

/** An exact decimal number as a string: digits with an optional point, no exponent. */
export type Decimal = string;

/** A payment record in the service's field names; amounts are decimal strings. */
export interface TenderPayment {
  readonly transactionId: string;
  readonly token: string;
  readonly paymentToken: string;
  readonly quantity: Decimal;
  readonly quantityPay: Decimal;
  readonly priceUsd: Decimal | null;
  readonly purchaseEmail: string | null;
  readonly purchaseName: string | null;
  readonly invoiceNumber: string | null;
  readonly itemNumber: string | null;
  readonly statusId: string;
  readonly statusText: string;
  readonly wallet: string;
  /** A date in the form YYYY/MM/DD. */
  readonly createdAt: string | null;
}

/** A wallet's interface to a page (EIP-1193); only this method of it is used. */
export interface Eip1193Provider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A wallet with the name and icon to show for it, as wallets announce themselves (EIP-6963). */
export interface Eip6963ProviderDetail {
  readonly info: {
    readonly name: string;
    /** A `data:image/` URI; others are not shown. */
    readonly icon?: string;
  };
  readonly provider: Eip1193Provider;
}

/** Why something failed: a closed set. */
export type TenderErrorCode =
  | "config-invalid"
  | "unreachable"
  | "timeout"
  | "service-failed"
  | "answer-unreadable"
  | "no-tokens"
  | "order-refused"
  | "order-expired"
  | "attempt-ended"
  | "request-refused"
  | "load-failed"
  | "crashed";

/** The `detail` of each event that several elements tell. */
export interface TenderSharedEventDetails {
  "tender-created": { readonly payment: TenderPayment };
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

/** The `detail` of each event. */
export interface TenderEventDetails extends TenderSharedEventDetails {
  "tender-ready": { readonly tokens: readonly string[] };
  "tender-transaction": { readonly hash: string; readonly url: string | null };
  "tender-cancelled": { readonly payment: TenderPayment };
}

/** Events by their names, of their details. */
export type TenderEvents<Details> = {
  [Name in keyof Details]: CustomEvent<Details[Name]>;
};

export type TenderEventMap = TenderEvents<TenderEventDetails>;

/** What the elements share. Each property reflects the attribute of the same name. */
export interface TenderElement<Events> extends HTMLElement {
  /** Address of the merchant proxy, or of a backend that forwards to it; absolute or relative to the page. */
  proxy: string | null;
  /** BCP 47 tag. */
  locale: string | null;
  /** The page's own texts: a JSON object of texts by their keys. */
  texts: string | null;
  theme: "auto" | "light" | "dark" | (string & {}) | null;

  addEventListener<Name extends keyof Events>(
    type: Name,
    listener: (this: this, event: Events[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: this, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** `<tender-checkout>`. Each property reflects the attribute of the same name. */
export interface TenderCheckoutElement extends TenderElement<TenderEventMap> {
  /** The order, signed by the shop's backend. */
  order: string | null;
  /** Currency of `quantity`, where the order is in plain attributes. */
  token: string | null;
  quantity: Decimal | null;
  invoiceNumber: string | null;
  /** "0" lets the payer choose the amount. */
  itemNumber: string | null;
  /** The code that is preselected. */
  paymentToken: string | null;
  /** Space-separated codes to offer, in this order. */
  accept: string | null;
  /** `email` and `name`: the buyer fields to show; with `!` behind it, one is required. */
  ask: string | null;
  purchaseEmail: string | null;
  purchaseName: string | null;

  /**
   * A wallet of the shop's own (WalletConnect and the like), offered first among those of the
   * buyer's browser, where the payment is on Ethereum or BNB Smart Chain. A property only.
   */
  get provider(): Eip1193Provider | Eip6963ProviderDetail | null;
  set provider(provider: Eip1193Provider | Eip6963ProviderDetail | null | undefined);

  /** Looks after the latest status; tries again where the module or the tokens could not be loaded. */
  refresh(): void;
  /** Goes back to the choice. A payment that exists stays as it is. */
  reset(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tender-checkout": TenderCheckoutElement;
  }
  interface DocumentEventMap extends TenderEventMap {}
}
