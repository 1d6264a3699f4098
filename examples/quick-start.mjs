// A small shop, as docs/quick-start.md describes it: it signs an order, shows the checkout, and fulfils the order once, when
// the proxy says that it is paid. It needs Node.js only, and keeps its orders in files.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { ORDER_KEY = "", NOTIFY_SECRET = "", ALLOW_TEST_MODE } = process.env;
const { PORT = "3000", ORDERS = "orders" } = process.env;
const PROXY = (process.env.PROXY ?? "http://127.0.0.1:8081").replace(/\/$/, "");
const [, kid, secret] = /^([^=]+)=(.{32,})$/.exec(ORDER_KEY) ?? [];
if (!secret) throw new Error("set ORDER_KEY to KID=SECRET, as the demo has printed it");
const [, base64] = /^whsec_([A-Za-z0-9+/]{32,86}=*)$/.exec(NOTIFY_SECRET) ?? [];
if (!base64) throw new Error("set NOTIFY_SECRET to whsec_..., as the demo has printed it");

const MUG = { token: "usdtt", quantity: "48.50" }; // the price is text, as numbers lose digits
const file = (invoice, kind) => `${ORDERS}/${invoice}.${kind}`;
const isWritten = (invoice, kind) => /^INV-[0-9a-f-]{36}$/.test(invoice) && existsSync(file(invoice, kind));
const read = (invoice, kind) => isWritten(invoice, kind) && readFileSync(file(invoice, kind), "utf8");
mkdirSync(ORDERS, { recursive: true });

/** A JWT that is valid for an hour. The proxy takes the price from it, so the page can't change it. */
function sign(claims) {
  const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600; // in seconds
  const content = `${base64url({ alg: "HS256", kid })}.${base64url({ ...claims, exp })}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const page = (title, order) => `<!doctype html><title>My shop</title><link rel="icon" href="data:,">
<script src="${PROXY}/v1/checkout.js" async></script>
<h1>${title}</h1>
<tender-checkout proxy="${PROXY}" order="${order}">
  <a href="${PROXY}/pay?order=${order}">Pay without JavaScript</a></tender-checkout>`;

/** Whether the proxy has sent this body in the last five minutes (https://www.standardwebhooks.com). */
function isSigned(body, headers) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  const mac = createHmac("sha256", Buffer.from(base64, "base64")).update(`${id}.${time}.`).update(body);
  const expected = Buffer.from(`v1,${mac.digest("base64")}`);
  const given = signatures.split(" ").map((text) => Buffer.from(text));
  const isEqual = (text) => text.length === expected.length && timingSafeEqual(text, expected);
  return Math.abs(Date.now() / 1000 - time) < 300 && given.some(isEqual);
}

/** Fulfils the order that a notification says is paid. Returns what a person has to look at. */
function receive({ type, data }) {
  if (type !== "payment.paid" || data.state !== "paid") return;
  if (data.testMode && ALLOW_TEST_MODE !== "true") return "test mode";
  const { invoiceNumber: invoice = "", ...signed } = data.order ?? {};
  const sold = JSON.parse(read(invoice, "json") || "null");
  if (!sold) return "no such order";
  if (signed.token !== sold.token || signed.quantity !== String(sold.quantity)) return "another price";
  if (signed.itemNumber !== sold.itemNumber) return "another item"; // with "0", the payer has chosen the amount
  try {
    writeFileSync(file(invoice, "paid"), data.transactionId, { flag: "wx" }); // only the first notification creates it
    console.log(`${invoice} is paid: pack a mug`);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (read(invoice, "paid") !== data.transactionId) return "a second payment";
  }
}

async function answer(request) {
  const { method, url, headers } = request;
  const [, invoice] = url.split("/orders/");
  const sold = JSON.parse((method === "GET" && read(invoice, "json")) || "null");
  if (sold) {
    const title = read(invoice, "paid") ? "Paid: we are packing your mug" : `One mug, ${sold.quantity} USDT`;
    const html = page(title, sign({ ...sold, invoiceNumber: invoice }));
    return [200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" }, html];
  }
  if (method === "GET" && url === "/") {
    const created = `INV-${randomUUID()}`;
    writeFileSync(file(created, "json"), JSON.stringify(MUG));
    return [303, { Location: `/orders/${created}` }];
  }
  if (method !== "POST" || url !== "/notifications" || !(headers["content-length"] < 65536)) return [404];
  const body = Buffer.concat(await request.toArray());
  if (!isSigned(body, headers)) return [401, {}, "the signature does not fit NOTIFY_SECRET or the raw body, or is too old"];
  const question = receive(JSON.parse(body));
  if (question) console.error(`needs a person, ${question}: ${body}`);
  return [204];
}

createServer(async (request, response) => {
  const [status, head, content] = await answer(request).catch((error) => [500, {}, console.error(error)]);
  if (status === 401) console.error(content);
  response.writeHead(status, head).end(content);
}).listen(PORT, "127.0.0.1", () => console.log(`http://localhost:${PORT}`));
