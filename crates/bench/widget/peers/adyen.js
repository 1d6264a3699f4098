// Adyen's Drop-in as its documentation embeds it ("Advanced flow"): the response of /paymentMethods is part of the page, and
// the used payment methods are imported by name. English is part of the package, so nothing is fetched.

import { AdyenCheckout, BankTransfer, Bancontact, Card, Dropin, Klarna, PayPal, Redirect, SepaDirectDebit, Trustly } from "@adyen/adyen-web";
import "@adyen/adyen-web/styles/adyen.css";

const { answers } = document.querySelector("#checkout").dataset;
const checkout = await AdyenCheckout({
  clientKey: "test_BENCH",
  environment: "test",
  locale: "en-US",
  countryCode: "NL",
  amount: { currency: "EUR", value: 2500 },
  analytics: { enabled: false },
  risk: { enabled: false },
  paymentMethodsResponse: JSON.parse(document.querySelector("#answer").textContent),
  // Serve its images from this machine.
  _environmentUrls: { cdn: { images: `${answers}/adyen/` } },
});
new Dropin(checkout, {
  paymentMethodComponents: [BankTransfer, Bancontact, Card, Klarna, PayPal, Redirect, SepaDirectDebit, Trustly],
}).mount("#checkout");
