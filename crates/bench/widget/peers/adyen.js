// Adyen's Drop-in as its documentation embeds it ("Advanced flow"): the answer to /paymentMethods comes with the page, the
// methods that are used are imported by name. English is in the package; nothing is fetched.

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
  // Its pictures, from here.
  _environmentUrls: { cdn: { images: `${answers}/adyen/` } },
});
new Dropin(checkout, {
  paymentMethodComponents: [BankTransfer, Bancontact, Card, Klarna, PayPal, Redirect, SepaDirectDebit, Trustly],
}).mount("#checkout");
