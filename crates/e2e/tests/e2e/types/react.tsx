// Uses of the elements in JSX. Incorrect ones are marked with "@ts-expect-error", which fails if there is no error.
import { useRef } from "react";
import type { TenderCheckoutElement, TenderPaymentsElement } from "tender-checkout";
import { TenderCheckout, type TenderCheckoutProps } from "tender-checkout/react";

declare const provider: TenderCheckoutElement["provider"];
const options: TenderCheckoutProps = { proxy: "/", order: "eyJhbGciOi..." };

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
      <TenderCheckout {...options} />
      <TenderCheckout
        ref={checkout}
        key="checkout"
        className="wide"
        style={{ width: "20rem" }}
        proxy="https://pay.shop.example"
        token="usdtt"
        quantity="48.50"
        invoiceNumber="INV-1042"
        itemNumber="1"
        paymentToken="btc"
        accept="btc trx"
        ask="email!"
        purchaseEmail="buyer@example.com"
        purchaseName={undefined}
        locale="de"
        theme="dark"
        texts="{}"
        provider={provider}
        onReady={({ detail }) => detail.tokens.join()}
        onCreated={({ detail }) => detail.payment.wallet}
        onStatus={({ detail }) => detail.previous.statusId}
        onTransaction={({ detail }) => detail.hash}
        onCancelled={({ detail }) => detail.payment.transactionId}
        onPending={({ detail }) => detail.payment.state}
        onUnderpaid={({ detail }) => detail.payment.quantityPay}
        onPaid={({ detail }) => detail.payment.invoiceNumber}
        onClosed={undefined}
        onError={({ detail }) => (detail.code === "order-expired" ? checkout.current?.reset() : undefined)}
        onClick={({ currentTarget }) => currentTarget.refresh()}
      >
        <a href="https://pay.shop.example/pay">Pay without JavaScript</a>
      </TenderCheckout>
      {/* @ts-expect-error an amount is not a number */}
      <tender-checkout proxy="/" quantity={48.5} />
      {/* @ts-expect-error attributes are not in camel case */}
      <tender-checkout proxy="/" invoiceNumber="INV-1042" />
      {/* @ts-expect-error an amount is not a number */}
      <TenderCheckout proxy="/" quantity={48.5} />
      {/* @ts-expect-error there is no such event */}
      <TenderCheckout proxy="/" onMoney={() => {}} />
      {/* @ts-expect-error an error has no payment */}
      <TenderCheckout proxy="/" onError={({ detail }) => detail.payment} />
      {/* @ts-expect-error a provider is an object */}
      <TenderCheckout proxy="/" provider="metamask" />
      {/* @ts-expect-error the dashboard has no order */}
      <tender-payments proxy="/" order="eyJhbGciOi..." />
    </>
  );
}
