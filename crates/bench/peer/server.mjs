// A proxy that a shop might write itself: it verifies an order, forwards it once, and signs a receipt. With the
// environment variable DATABASE it writes each attempt to SQLite before and after the request to the service. Without
// it, everything is in memory, and a restart loses it.

import Fastify from "fastify";
import { jwtVerify, SignJWT } from "jose";
import { Pool } from "undici";

import { openLedger } from "./ledger.mjs";

const key = new TextEncoder().encode(process.env.ORDER_KEY);
const service = new Pool(process.env.SERVICE, { connections: 64 });
const answers = new Map();
const ledger = process.env.DATABASE && openLedger(process.env.DATABASE);

const create = async ({ order, paymentToken }) => {
  const { payload } = await jwtVerify(order, key, { algorithms: ["HS256"] });
  const { token, quantity, invoiceNumber } = payload;
  const attempt = `${invoiceNumber} ${paymentToken}`;
  if (!answers.has(attempt)) answers.set(attempt, forward(attempt, { token, quantity: Number(quantity), paymentToken, invoiceNumber }));
  return answers.get(attempt);
};

const forward = async (attempt, payment) => {
  await ledger?.begin(attempt);
  const { statusCode, body } = await service.request({
    method: "POST",
    path: "/api/v1/payment",
    headers: { "content-type": "application/json", authorization: "Bearer credentials" },
    body: JSON.stringify(payment),
  });
  if (statusCode !== 200 && statusCode !== 201) throw new Error(`the service responded ${statusCode}`);
  const record = await body.json();
  const receipt = await new SignJWT().setProtectedHeader({ alg: "HS256" })
    .setSubject(record.transactionId).setExpirationTime("30d").sign(key);
  const answer = { ...record, receipt };
  await ledger?.finish(attempt, JSON.stringify(answer));
  return answer;
};

let listing = { text: "", fetched: -Infinity };
const tokens = async () => {
  if (performance.now() - listing.fetched < 60_000) return listing.text;
  const { statusCode, body } = await service.request({ method: "GET", path: "/api/v1/rates/my-tokens" });
  if (statusCode !== 200) throw new Error(`the service responded ${statusCode}`);
  listing = { text: await body.text(), fetched: performance.now() };
  return listing.text;
};

const app = Fastify();
app.get("/healthz", async () => "ok");
app.get("/api/v1/rates/my-tokens", async (_, reply) => reply.type("application/json").send(await tokens()));
app.post("/api/v1/payment", async ({ body }) => create(body));
const [host, port] = process.env.LISTEN.split(":");
await app.listen({ host, port: Number(port) });
