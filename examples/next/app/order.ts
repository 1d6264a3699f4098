import { createHmac, randomUUID } from "node:crypto";

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * Signs an order with `ORDER_KEY` (`KID=SECRET`), as docs/orders.md describes it; a real shop uses a JWT library, and takes
 * the price from its database.
 */
export const newOrder = () => {
  const [, kid, secret] = /^([^=]+)=(.{32,})$/.exec(process.env.ORDER_KEY ?? "") ?? [];
  if (!secret) {
    throw new Error("set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; SECRET has at least 32 characters");
  }
  const exp = Math.floor(Date.now() / 1000) + 3600; // in seconds
  const claims = { token: "usdtt", quantity: "48.50", invoiceNumber: `INV-${randomUUID()}`, exp };
  const content = `${base64url({ alg: "HS256", kid })}.${base64url(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
};
