// A proxy that a shop might write itself: it verifies an order, forwards it once, and signs a receipt. It keeps the
// responses and the token listing in memory, so a restart loses them.

import Fastify from "fastify";
import { jwtVerify, SignJWT } from "jose";
import { Pool } from "undici";

const key = new TextEncoder().encode(process.env.ORDER_KEY);
const service = new Pool(process.env.SERVICE, { connections: 64 });
const answers = new Map();

const create = async ({ order, paymentToken }) => {
  const { payload } = await jwtVerify(order, key, { algorithms: ["HS256"] });
  const { token, quantity, invoiceNumber } = payload;
  const attempt = `${invoiceNumber} ${paymentToken}`;
  if (!answers.has(attempt)) answers.set(attempt, forward({ token, quantity: Number(quantity), paymentToken, invoiceNumber }));
  return answers.get(attempt);
};

const forward = async (payment) => {
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
  return { ...record, receipt };
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
