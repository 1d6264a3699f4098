import { createHmac, randomUUID } from "node:crypto";

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * Signs an order with `ORDER_KEY` (`name=secret`), as docs/orders.md describes it; a real shop uses a JWT library, and takes
 * the price from its database.
 */
export const newOrder = () => {
  const [, kid, secret] = /^([^=]+)=(.+)$/.exec(process.env.ORDER_KEY ?? "") ?? [];
  if (!kid || !secret) throw new Error("set ORDER_KEY to name=secret");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = { token: "usdtt", quantity: "48.50", invoiceNumber: `INV-${randomUUID()}`, exp };
  const content = `${base64url({ alg: "HS256", kid })}.${base64url(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
};
