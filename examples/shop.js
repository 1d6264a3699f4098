/*
 * The shop's backend, for all examples: it signs an order for each visit, and serves the built page. It needs Node.js only.
 *
 *     ORDER_KEY=KID=SECRET PROXY=https://pay.shop.example PORT=3000 node shop.js react/dist
 */
import { createHmac, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";

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

const TYPES = { ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript" };

const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, "http://shop.invalid");
  if (pathname === "/order") {
    response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
    response.end(JSON.stringify({ proxy: PROXY, order: newOrder() }));
    return;
  }
  // The path of a URL has no `..` left.
  const file = join(folder, pathname === "/" ? "index.html" : decodeURIComponent(pathname));
  try {
    if (!resolve(file).startsWith(resolve(folder))) throw new Error("outside of the folder");
    const content = await readFile(file);
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`http://localhost:${server.address().port}`));
