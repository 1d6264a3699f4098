"use client";

import { useEffect, useState } from "react";
import { loadTender } from "tender-checkout";
import { TenderCheckout } from "tender-checkout/react";

export function Checkout({ proxy, order, template }: { proxy: string; order: string; template: string }) {
  const [locale, setLocale] = useState("en");
  const [news, setNews] = useState("No payment yet");

  useEffect(() => {
    loadTender({ src: `${proxy}/v1/checkout.js` }).catch((error: Error) => setNews(error.message));
  }, [proxy]);

  return (
    <main>
      <button onClick={() => setLocale("de")}>Deutsch</button>
      <output>{news}</output>
      <TenderCheckout
        proxy={proxy}
        order={order}
        locale={locale}
        onCreated={({ detail }) => setNews(`Created: ${detail.payment.transactionId}`)}
        onPending={({ detail }) => setNews(`Pending: ${detail.payment.transactionId}`)}
        onPaid={({ detail }) => setNews(`Paid: ${detail.payment.transactionId}`)}
        // The browser makes a shadow root of the template, so the children differ when React hydrates them.
        dangerouslySetInnerHTML={{ __html: `${template}<a href="${proxy}/pay?order=${order}">Pay without JavaScript</a>` }}
        suppressHydrationWarning
      />
    </main>
  );
}
