// An example shop: docs/shops.md says how to run it.
import { randomUUID } from "node:crypto";
import express from "express";
import { SignJWT } from "jose";
import pg from "pg";
import { Webhook } from "standardwebhooks";
import { checkoutTemplate } from "./form.js";

const { PORT, ORIGIN, PROXY, LOGOS, ORDER_KEY, NOTIFY_SECRET, ALLOW_TEST_MODE, DATABASE_URL } = process.env;
const PRICE = "48.50";

const shop = express();
const database = new pg.Pool({ connectionString: DATABASE_URL });

shop.use((_request, response, next) => {
  response.locals.nonce = randomUUID();
  response.set("Cache-Control", "no-store");
  response.set(
    "Content-Security-Policy",
    `default-src 'none'; script-src ${PROXY} 'wasm-unsafe-eval'; connect-src ${PROXY}; img-src ${LOGOS}; ` +
      `style-src 'nonce-${response.locals.nonce}'; form-action ${PROXY}; base-uri 'none'; frame-ancestors 'none'`,
  );
  next();
});

// ANCHOR: order
const [, kid, secret] = /^([^=]+)=(.{32,})$/.exec(ORDER_KEY) ?? [];
if (!secret) {
  throw new Error("set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; SECRET has at least 32 characters");
}
const orderKey = new TextEncoder().encode(secret);

const sign = (invoice) =>
  new SignJWT({ token: "usdtt", quantity: PRICE, invoiceNumber: invoice, returnUrl: `${ORIGIN}/orders/${invoice}` })
    .setProtectedHeader({ alg: "HS256", kid })
    .setExpirationTime("1h")
    .sign(orderKey);
// ANCHOR_END: order

/** A page. Its values are escaped, except `{ markup }`. */
const html = (texts, ...values) => {
  const escape = (value) => value.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt()};`);
  return String.raw({ raw: texts }, ...values.map((value) => value.markup ?? escape(value)));
};

// A real shop creates the order from the buyer's basket.
shop.get("/", async (_request, response) => {
  const invoice = `INV-${randomUUID()}`;
  const row = [invoice, "usdtt", PRICE];
  await database.query("INSERT INTO orders (invoice_number, token, quantity) VALUES ($1, $2, $3)", row);
  const order = await sign(invoice);
  const fields = { token: "usdtt", quantity: PRICE, locale: "en" };
  const markup = await checkoutTemplate(PROXY, order, fields, response.locals.nonce);
  response.send(html`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Checkout</title>
  <h1>One mug, ${PRICE} USDT</h1>
  <tender-checkout proxy="${PROXY}" order="${order}">
    ${{ markup }}
    <a href="${PROXY}/pay?order=${order}">Pay without JavaScript</a>
  </tender-checkout>
  <script src="${PROXY}/v1/checkout.js" async></script>
  <p><a href="/orders/${invoice}">Your order</a></p>
</html>
`);
});

shop.get("/orders/:invoice", async (request, response) => {
  const { invoice } = request.params;
  const { rows } = await database.query("SELECT paid_by FROM orders WHERE invoice_number = $1", [invoice]);
  if (rows.length === 0) return response.sendStatus(404);
  const isPaid = rows[0].paid_by !== null;
  if (!isPaid) response.set("Refresh", "3");
  response.send(html`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Order ${invoice}</title>
  <h1>${isPaid ? "Paid" : "Waiting for payment"}</h1>
  <p>Order ${invoice}</p>
</html>
`);
});

// ANCHOR: notifications
const webhook = new Webhook(NOTIFY_SECRET);

// Without `express.raw`, the signature would be compared with a body that was parsed and written again.
const raw = express.raw({ type: () => true, limit: "64kb" });

shop.post("/notifications", raw, async (request, response) => {
  try {
    webhook.verify(request.body, request.headers, { jsonParse: false });
  } catch {
    return response.sendStatus(400);
  }
  const id = request.headers["webhook-id"];
  const event = [id, request.body.toString(), ALLOW_TEST_MODE === "true"];
  const { rows } = await database.query("SELECT receive_notification($1, $2::jsonb, $3) AS question", event);
  if (rows[0].question) console.error(`notification ${id} needs a person: ${rows[0].question}`);
  response.sendStatus(204);
});
// ANCHOR_END: notifications

shop.listen(PORT, "127.0.0.1");
