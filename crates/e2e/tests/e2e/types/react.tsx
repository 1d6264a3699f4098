// Uses of the elements in JSX. Incorrect ones are marked with "@ts-expect-error", which fails if there is no error.
import { useRef } from "react";
import type { TenderCheckoutElement, TenderPaymentsElement } from "tender-checkout";
import type {} from "tender-checkout/react";

export function Everything() {
  const checkout = useRef<TenderCheckoutElement>(null);
  const payments = useRef<TenderPaymentsElement>(null);
  return (
    <>
      <tender-checkout
        ref={checkout}
        className="wide"
        proxy="https://pay.shop.example"
        token="usdtt"
        quantity="48.50"
        invoice-number="INV-1042"
        item-number="1"
        payment-token="btc"
        accept="btc trx"
        ask="email!"
        purchase-email="buyer@example.com"
        purchase-name={undefined}
        locale="de"
        theme="dark"
        texts="{}"
        ontender-ready={({ detail }) => detail.tokens.join()}
        ontender-error={({ detail }) => (detail.code === "order-expired" ? checkout.current?.reset() : undefined)}
        onClick={() => checkout.current?.refresh()}
      />
      <tender-payments ref={payments} proxy="/office" theme="light" ontender-ready={({ detail }) => detail.payments + 1} />
      {/* @ts-expect-error an amount is not a number */}
      <tender-checkout proxy="/" quantity={48.5} />
      {/* @ts-expect-error attributes are not in camel case */}
      <tender-checkout proxy="/" invoiceNumber="INV-1042" />
      {/* @ts-expect-error the dashboard has no order */}
      <tender-payments proxy="/" order="eyJhbGciOi..." />
    </>
  );
}
