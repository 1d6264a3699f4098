// An example shop: docs/shops.md says how to run it.
import { randomUUID } from "node:crypto";
import express from "express";
import { SignJWT } from "jose";
import pg from "pg";
import { Webhook } from "standardwebhooks";
import { checkoutTemplate } from "./form.js";

const setting = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}`);
  return value;
};
/** Paths are appended to it. */
const origin = (name) => {
  const value = setting(name);
  if (!/^https?:\/\/[^/]+$/.test(value)) throw new Error(`set ${name} to an origin such as https://shop.example`);
  return value;
};
const [ORIGIN, PROXY] = ["ORIGIN", "PROXY"].map(origin);
const [PORT, LOGOS] = ["PORT", "LOGOS"].map(setting);
const { ORDER_KEY, NOTIFY_SECRET, ALLOW_TEST_MODE } = process.env;
const PRICE = "48.50";

const shop = express();
const database = new pg.Pool({ connectionString: setting("DATABASE_URL") });
// The pool replaces a connection that PostgreSQL closes. Without this listener, the program would end.
database.on("error", (error) => console.error(`database: ${error.message}`));

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

// Express would answer as to GET, and create an order.
shop.head("/", (_request, response) => response.sendStatus(405));

// A real shop creates the order from the buyer's basket.
shop.get("/", async (_request, response) => {
  const invoice = `INV-${randomUUID()}`;
  const row = [invoice, "usdtt", PRICE];
  await database.query(
    "INSERT INTO orders (invoice_number, token, quantity, valid_until) VALUES ($1, $2, $3, now() + interval '1 hour')",
    row,
  );
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
  // PostgreSQL refuses some texts, such as NUL.
  if (!/^[\w-]+$/.test(invoice)) return response.sendStatus(404);
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
const notifyKey = Buffer.from((NOTIFY_SECRET ?? "").replace("whsec_", ""), "base64");
// Anyone can sign with an empty key.
if (NOTIFY_SECRET !== `whsec_${notifyKey.toString("base64")}` || notifyKey.length < 24 || notifyKey.length > 64) {
  throw new Error("set NOTIFY_SECRET to the proxy's notify_secret: whsec_ and 24 to 64 bytes in base64");
}
const webhook = new Webhook(NOTIFY_SECRET);

// Without `express.raw`, the signature would be compared with a body that was parsed and written again.
const raw = express.raw({ type: () => true, limit: "64kb" });

shop.post("/notifications", raw, async (request, response) => {
  try {
    webhook.verify(request.body ?? "", request.headers, { jsonParse: false });
  } catch (error) {
    console.error(`notification refused: ${error.message}`);
    return response.status(401).type("text").send(error.message);
  }
  const id = request.headers["webhook-id"];
  const event = [id, request.body.toString(), ALLOW_TEST_MODE === "true"];
  const { rows } = await database.query("SELECT receive_notification($1, $2, $3) AS question", event);
  if (rows[0].question) console.error(`notification ${id} needs a person: ${rows[0].question}`);
  response.sendStatus(204);
});
// ANCHOR_END: notifications

// Express itself may answer with a stack trace.
shop.use((error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const { status = 500, message } = error;
  console.error(status < 500 ? `request refused: ${message}` : error);
  response.status(status).type("text").send(status < 500 ? message : "");
});

shop.listen(Number(PORT), "127.0.0.1");
