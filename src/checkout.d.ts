/** Types of the `<tender-checkout>` element that `checkout.js` registers. */

/** A decimal number as a string: digits with an optional decimal point, without an exponent. */
export type Decimal = string;

/** A payment record with the service's field names. Amounts are decimal strings. */
export interface TenderPayment {
  readonly transactionId: string;
  readonly token: string;
  readonly paymentToken: string;
  /** Network and token by CAIP-2 and CAIP-19; null if `paymentToken` does not name the network. */
  readonly paymentAsset: { readonly chainId: string; readonly assetId: string } | null;
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
  /** What the status means, where the proxy says so. */
  readonly state: "open" | "pending" | "underpaid" | "paid" | "closed" | "unknown" | null;
  /** The proxy runs in test mode: no real money was moved, so deliver nothing. */
  readonly testMode?: true;
}

/** A wallet provider (EIP-1193). The checkout uses only this method. */
export interface Eip1193Provider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A wallet provider with a name and an icon (EIP-6963). */
export interface Eip6963ProviderDetail {
  readonly info: {
    readonly name: string;
    /** A `data:image/` URI; other icons are ignored. */
    readonly icon?: string;
  };
  readonly provider: Eip1193Provider;
}

/** All error codes of `tender-error`. */
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
  | "may-be-paid"
  | "payment-open"
  | "earlier-payment-open"
  | "request-refused"
  | "record-mismatch"
  | "load-failed"
  | "crashed";

/** The `detail` of the events that both elements dispatch. */
export interface TenderSharedEventDetails {
  /** A payment was created. */
  "tender-created": { readonly payment: TenderPayment };
  /** The status changed; `previous` is the old one. */
  "tender-status": {
    readonly payment: TenderPayment;
    readonly previous: { readonly statusId: string; readonly statusText: string };
  };
  /** `message` is for developers; the buyer sees another text. */
  "tender-error": {
    readonly code: TenderErrorCode;
    readonly message: string;
    readonly retryable: boolean;
  };
}

/** The `detail` of each event of the checkout. */
export interface TenderEventDetails extends TenderSharedEventDetails {
  /** The codes of the offered tokens. */
  "tender-ready": { readonly tokens: readonly string[] };
  /** The transaction hash became known; `url` is null if the network has no block explorer. */
  "tender-transaction": { readonly hash: string; readonly url: string | null };
  /** The buyer cancelled the payment here. */
  "tender-cancelled": { readonly payment: TenderPayment };
  /** The proxy says that money has been seen and waits for its confirmation: there is nothing more to pay. */
  "tender-pending": { readonly payment: TenderPayment };
  /** The proxy says that less than the amount has arrived. */
  "tender-underpaid": { readonly payment: TenderPayment };
  /** The proxy says that the payment is paid. This proves nothing to the shop's backend. */
  "tender-paid": { readonly payment: TenderPayment };
  /** The proxy says that the payment has ended without being paid. */
  "tender-closed": { readonly payment: TenderPayment };
}

/** Maps event names to events, given a map of their details. */
export type TenderEvents<Details> = {
  [Name in keyof Details]: CustomEvent<Details[Name]>;
};

export type TenderEventMap = TenderEvents<TenderEventDetails>;

/** Properties of both elements. Each reflects the attribute of the same name. */
export interface TenderElement<Events> extends HTMLElement {
  /** Address of the merchant proxy, or of a backend that forwards to it. Absolute, or relative to the page. */
  proxy: string | null;
  /** BCP 47 tag. */
  locale: string | null;
  /** Texts that replace the built-in ones: a JSON object. */
  texts: string | null;
  /** `auto` follows the system, and is the default. */
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
  /** Currency of `quantity`, for an unsigned order. */
  token: string | null;
  /** Amount to charge, for an unsigned order. */
  quantity: Decimal | null;
  /** The shop's number of the order, for an unsigned order. */
  invoiceNumber: string | null;
  /** Passed to the payment service; "0" lets the payer choose the amount. */
  itemNumber: string | null;
  /** Code of the token that is selected at first. */
  paymentToken: string | null;
  /** Codes of the tokens to offer, separated by spaces, in this order. */
  accept: string | null;
  /** Fields to show for the buyer: `email`, `name`; `email!` or `name!` makes one required. */
  ask: string | null;
  /** E-mail address of the buyer, if the shop knows it. */
  purchaseEmail: string | null;
  /** Name of the buyer, if the shop knows it. */
  purchaseName: string | null;

  /**
   * A wallet added by the shop, such as WalletConnect, for payments on Ethereum or BNB Smart Chain. It is
   * listed before the wallets in the buyer's browser. There is no attribute for it.
   */
  get provider(): Eip1193Provider | Eip6963ProviderDetail | null;
  set provider(provider: Eip1193Provider | Eip6963ProviderDetail | null | undefined);

  /** Fetches the current status; retries if the module or the tokens could not be loaded. */
  refresh(): void;
  /** Returns to the token choice. An existing payment is kept. Does nothing once money may have been sent for it. */
  reset(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tender-checkout": TenderCheckoutElement;
  }
  interface DocumentEventMap extends TenderEventMap {}
}
