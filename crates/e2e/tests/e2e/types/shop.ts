// A shop in TypeScript. It uses everything that the types declare. Incorrect uses are marked with "@ts-expect-error",
// which fails if there is no error.

import type { Eip1193Provider, TenderCheckoutElement, TenderErrorCode, TenderPayment } from "./v1/checkout.js";
import type { TenderPaymentsElement } from "./v1/payments.js";

declare const wallet: Eip1193Provider;
declare function show(...what: (string | boolean | null)[]): void;
declare function sum(...what: number[]): void;

// --- The checkout: attributes ---

const checkout: TenderCheckoutElement = document.createElement("tender-checkout");
checkout.proxy = "https://pay.shop.example";
checkout.order = "eyJhbGciOi...";
checkout.token = "usdtt";
checkout.quantity = "48.50";
checkout.invoiceNumber = "INV-1042";
checkout.itemNumber = "0";
checkout.paymentToken = "btc";
checkout.accept = "btc trx";
checkout.ask = "email! name";
checkout.purchaseEmail = "buyer@example.com";
checkout.purchaseName = null;
checkout.locale = "pt-BR";
checkout.theme = "dark";
checkout.texts = JSON.stringify({ pay: "Donate" });
checkout.setAttribute("invoice-number", "INV-1042");

// @ts-expect-error an amount is not a number, which could be rounded
checkout.quantity = 48.5;
// @ts-expect-error properties are in camel case
checkout.invoicenumber = "INV-1042";
// @ts-expect-error an unset attribute is null
show(document.createElement("tender-checkout").order.toUpperCase());

// --- The checkout: the shop's own wallet, and methods ---

checkout.provider = wallet;
checkout.provider = { info: { name: "The shop's wallet", icon: "data:image/svg+xml,..." }, provider: wallet };
checkout.provider = undefined;
const isOwn: boolean = checkout.provider === null;
checkout.refresh();
checkout.reset();

// @ts-expect-error providers have a method `request`
checkout.provider = { send: () => undefined };
// @ts-expect-error it takes no arguments
checkout.reset("INV-1042");

// --- The checkout: events ---

const keep = ({ transactionId, statusId, statusText, wallet, token, paymentToken, ...rest }: TenderPayment): void => {
  show(transactionId, statusId, statusText, wallet, token, paymentToken, rest.quantity, rest.quantityPay, isOwn);
  show(rest.priceUsd, rest.purchaseEmail, rest.purchaseName, rest.invoiceNumber, rest.itemNumber, rest.createdAt);
  // @ts-expect-error an amount is not a number
  sum(rest.quantityPay);
};
checkout.addEventListener("tender-ready", ({ detail }) => show(...detail.tokens));
checkout.addEventListener("tender-created", ({ detail }) => keep(detail.payment));
checkout.addEventListener("tender-status", ({ detail }) => {
  keep(detail.payment);
  show(detail.previous.statusId, detail.previous.statusText);
});
checkout.addEventListener("tender-transaction", ({ detail }) => show(detail.hash, detail.url), { once: true });
checkout.addEventListener("tender-cancelled", ({ detail }) => keep(detail.payment));
checkout.addEventListener("tender-pending", ({ detail }) => keep(detail.payment));
checkout.addEventListener("tender-underpaid", ({ detail }) => keep(detail.payment));
checkout.addEventListener("tender-paid", ({ detail }) => keep(detail.payment));
checkout.addEventListener("tender-closed", ({ detail }) => keep(detail.payment));
checkout.addEventListener("tender-error", function ({ detail }) {
  const code: TenderErrorCode = detail.code;
  if (code === "order-expired") this.reset();
  else show(code, detail.message, detail.retryable);
  // @ts-expect-error unknown error code
  if (detail.code === "no-money") this.reset();
});
checkout.addEventListener("click", ({ clientX }) => sum(clientX));
// The events bubble.
document.addEventListener("tender-cancelled", ({ detail }) => keep(detail.payment));

checkout.addEventListener("tender-created", ({ detail }) => {
  // @ts-expect-error the record is in `detail.payment`
  show(detail.transactionId);
  // @ts-expect-error records are read-only
  detail.payment.statusText = "Paid";
});

// --- The dashboard ---

const payments: TenderPaymentsElement | null = document.querySelector("tender-payments");
if (payments) {
  payments.proxy = "/office";
  payments.locale = "de";
  payments.theme = "auto";
  payments.texts = null;
  payments.refresh();
  payments.addEventListener("tender-ready", ({ detail }) => sum(detail.payments));
  payments.addEventListener("tender-created", ({ detail }) => keep(detail.payment));
  payments.addEventListener("tender-status", ({ detail }) => show(detail.previous.statusText));
  payments.addEventListener("tender-error", ({ detail }) => show(detail.code));

  // @ts-expect-error the dashboard has no `reset()`
  payments.reset();
  // @ts-expect-error the merchant key is not an attribute
  payments.key = "secret";
  // @ts-expect-error `payments` is a number, and there is no `tokens`
  payments.addEventListener("tender-ready", ({ detail }) => show(...detail.tokens));
}
// @ts-expect-error the element may be null
document.querySelector("tender-checkout").refresh();
