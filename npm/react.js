"use client";
/* <tender-checkout> as a component for React 18 and 19. Nothing here runs at import, so that a server can import it. */

import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";

const names = ["ready", "created", "status", "transaction", "cancelled", "pending", "underpaid", "paid", "closed", "error"];

/** The props for events: `onPaid` for `tender-paid`. */
const events = new Map(names.map((name) => [`on${name[0].toUpperCase()}${name.slice(1)}`, `tender-${name}`]));

/** The props whose attributes have other names. */
const attributes = {
  className: "class", // for custom elements, React 18 keeps `className`
  invoiceNumber: "invoice-number",
  itemNumber: "item-number",
  paymentToken: "payment-token",
  purchaseEmail: "purchase-email",
  purchaseName: "purchase-name",
};

/** Layout effects run in the task that inserts the element, so before its events. React 18 warns of them on a server. */
const useCommit = typeof document === "undefined" ? useEffect : useLayoutEffect;

export const TenderCheckout = forwardRef(function TenderCheckout({ provider, ...props }, ref) {
  const host = useRef(null);
  const [listener] = useState(() => ({
    callbacks: {},
    handleEvent(event) {
      this.callbacks[event.type]?.(event);
    },
  }));
  const own = { ref: host };
  const callbacks = {};
  for (const [name, value] of Object.entries(props)) {
    if (events.has(name)) callbacks[events.get(name)] = value;
    else own[attributes[name] ?? name] = value;
  }

  // Nothing removes the listeners: effects end also while <Suspense> or <Activity> hides the element, which then still
  // follows its payment. The element is removed together with them.
  useCommit(() => {
    listener.callbacks = callbacks;
    for (const type of events.values()) host.current.addEventListener(type, listener); // adds it once
  });
  useCommit(() => {
    host.current.provider = provider; // an object, which no attribute can have
  }, [provider]);
  useImperativeHandle(ref, () => host.current, []);
  return createElement("tender-checkout", own);
});
