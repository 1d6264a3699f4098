/*
 * The shop's backend, for the examples of frameworks: it signs an order for each visit, and serves the built page.
 *
 *     ORDER_KEY=KID=SECRET PROXY=https://pay.shop.example PORT=3000 node shop.js ../react/dist
 */
import { createHmac, randomUUID } from "node:crypto";
import express from "express";

const { ORDER_KEY, PROXY, PORT = "3000" } = process.env;
const folder = process.argv[2];
const [, kid, secret] = /^([^=]+)=(.{32,})$/.exec(ORDER_KEY) ?? [];
if (!secret) {
  throw new Error("set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; SECRET has at least 32 characters");
}
if (!PROXY || !folder) throw new Error("set PROXY to the proxy's address, and name the folder of the built page");

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An order, as docs/orders.md describes it; a real shop uses a JWT library. */
const sign = (claims) => {
  const exp = Math.floor(Date.now() / 1000) + 3600; // in seconds
  const content = `${base64url({ alg: "HS256", kid })}.${base64url({ ...claims, exp })}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
};

/** The price comes from the shop's database, never from the page. */
const newOrder = () => sign({ token: "usdtt", quantity: "48.50", invoiceNumber: `INV-${randomUUID()}` });

const shop = express();
shop.get("/order", (_request, response) => {
  response.set("Cache-Control", "no-store").json({ proxy: PROXY, order: newOrder() });
});
shop.use(express.static(folder));
const server = shop.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`http://localhost:${server.address().port}`);
});
