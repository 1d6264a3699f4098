// Request Network's widget as its documentation embeds it in React. Its currencies appear after pressing a button,
// which this script does as soon as possible.

import { createRoot } from "react-dom/client";
import PaymentWidget from "@requestnetwork/payment-widget/react";

const host = document.querySelector("#checkout");
const press = () => {
  const button = host.querySelector("payment-widget")?.shadowRoot?.querySelector("button");
  if (button && !button.disabled) button.click();
  else requestAnimationFrame(press);
};
press();

createRoot(host).render(
  <PaymentWidget
    sellerInfo={{ name: "A shop" }}
    productInfo={{ name: "Spring Tide" }}
    amountInUSD={25}
    sellerAddress="0x1234567890123456789012345678901234567890"
    supportedCurrencies={["ETH_MAINNET", "USDC_MAINNET", "USDC_MATIC", "USDT_MAINNET"]}
    persistRequest={false}
    onPaymentSuccess={() => {}}
    onError={() => {}}
  />,
);
