// A shop that imports the package. Incorrect uses are marked with "@ts-expect-error", which fails if there is no error.
import { loadTender, type LoadTenderOptions, type TenderCheckoutElement, type TenderPaymentsElement } from "tender-checkout";
import { checkoutTemplate } from "tender-checkout/server";

const options: LoadTenderOptions = { src: "https://pay.shop.example/v1/checkout.js", nonce: "4f2a", integrity: "sha384-..." };
await loadTender(options);
await loadTender({ src: new URL("/v1/payments.js", "https://pay.shop.example"), nonce: undefined });
declare const trusted: { toJSON(): string }; // a `TrustedScriptURL`
await loadTender({ src: trusted, integrity: "sha384-..." });
const nothing: void = await loadTender({ src: "/v1/checkout.js" });

const page = { proxy: "https://pay.shop.example", order: "eyJhbGciOi..." };
const template: string = await checkoutTemplate({ ...page, attributes: { "payment-token": "trx", locale: null }, nonce: "4f2a" });
await checkoutTemplate({ ...page, attributes: undefined });

const checkout: TenderCheckoutElement = document.createElement("tender-checkout");
const payments: TenderPaymentsElement = document.createElement("tender-payments");
checkout.addEventListener("tender-paid", ({ detail }) => console.log(detail.payment.invoiceNumber, nothing, template));
payments.refresh();

// @ts-expect-error the address of the script is required
await loadTender({ nonce: "4f2a" });
// @ts-expect-error the price is in the order
await checkoutTemplate({ ...page, attributes: { quantity: "25.00" } });
// @ts-expect-error it has options, not an address
await loadTender("https://pay.shop.example/v1/checkout.js");
