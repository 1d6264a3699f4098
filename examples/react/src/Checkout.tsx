import { useEffect, useState } from "react";
import { loadTender } from "tender-checkout";
import type {} from "tender-checkout/react";

export function Checkout({ proxy, order }: { proxy: string; order: string }) {
  const [locale, setLocale] = useState("en");
  const [news, setNews] = useState("No payment yet");

  useEffect(() => {
    loadTender({ src: `${proxy}/v1/checkout.js` }).catch((error: Error) => setNews(error.message));
  }, [proxy]);

  return (
    <main>
      <button onClick={() => setLocale("de")}>Deutsch</button>
      <output>{news}</output>
      <tender-checkout
        proxy={proxy}
        order={order}
        locale={locale}
        ontender-created={({ detail }) => setNews(`Created: ${detail.payment.transactionId}`)}
        ontender-paid={({ detail }) => setNews(`Paid: ${detail.payment.transactionId}`)}
      >
        <a href={`${proxy}/pay?order=${order}`}>Pay without JavaScript</a>
      </tender-checkout>
    </main>
  );
}
