// A shop's page with a signed order, as docs/quick-start.md describes it. It needs Node.js only.
import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";

const { ORDER_KEY = "", PROXY = "http://127.0.0.1:8081", PORT = "3000" } = process.env;
const [, kid, secret] = /^([^=]+)=(.{32,})$/.exec(ORDER_KEY) ?? [];
if (!secret) throw new Error("set ORDER_KEY to KID=SECRET, as the demo has printed it");

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

// A JWT. The proxy takes the price from it, so the page can't change it.
function sign(claims) {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const content = `${base64url({ alg: "HS256", kid })}.${base64url({ ...claims, exp })}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const page = (order) => `<!doctype html>
<title>My shop</title>
<script src="${PROXY}/v1/checkout.js" async></script>
<h1>One mug, 48.50 USDT</h1>
<tender-checkout proxy="${PROXY}" order="${order}">
  <a href="${PROXY}/pay?order=${order}">Pay without JavaScript</a>
</tender-checkout>`;

createServer((_request, response) => {
  const order = sign({ token: "usdtt", quantity: "48.50", invoiceNumber: `INV-${randomUUID()}` });
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page(order));
}).listen(PORT, "127.0.0.1", () => console.log(`http://localhost:${PORT}`));
