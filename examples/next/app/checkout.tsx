"use client";

import { useEffect, useRef, useState } from "react";
import { loadTender, type TenderCheckoutElement } from "tender-checkout";
import type {} from "tender-checkout/react";

export function Checkout({ proxy, order }: { proxy: string; order: string }) {
  const host = useRef<TenderCheckoutElement>(null);
  const [locale, setLocale] = useState("en");
  const [news, setNews] = useState("No payment yet");

  useEffect(() => {
    loadTender({ src: `${proxy}/v1/checkout.js` }).catch((error: Error) => setNews(error.message));
  }, [proxy]);

  // React adds no listeners to a custom element that a server has rendered, until the element's properties change.
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const element = host.current;
    element?.addEventListener("tender-created", ({ detail }) => setNews(`Created: ${detail.payment.transactionId}`), { signal });
    element?.addEventListener("tender-paid", ({ detail }) => setNews(`Paid: ${detail.payment.transactionId}`), { signal });
    return () => listeners.abort();
  }, []);

  return (
    <main>
      <button onClick={() => setLocale("de")}>Deutsch</button>
      <output>{news}</output>
      <tender-checkout ref={host} proxy={proxy} order={order} locale={locale}>
        <a href={`${proxy}/pay?order=${order}`}>Pay without JavaScript</a>
      </tender-checkout>
    </main>
  );
}
