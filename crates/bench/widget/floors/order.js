// Shared by both minimal implementations: the order, the accepted codes, the two requests.

/** The codes that the create endpoint accepts. */
const ACCEPTED = ["trx", "usdtt", "usdte", "bnb", "kxp", "btc"];

/** The claims of a signed order. The proxy verifies it; the page only shows what it says. */
export const claimsOf = (order) => {
  const base64 = order.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))));
};

const answerOf = async (answer) => {
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.text();
};

/** The accepted tokens, without duplicates. */
export const listTokens = async (proxy) => {
  const text = await answerOf(await fetch(`${proxy}/api/v1/rates/my-tokens`, { headers: { accept: "application/json" } }));
  const seen = new Set();
  return JSON.parse(text).filter(({ token }) => ACCEPTED.includes(token) && !seen.has(token) && seen.add(token));
};

/** Creates the payment. The amount is read as text, because a number would lose digits. */
export const createPayment = async (proxy, order, paymentToken, key) => {
  const text = await answerOf(await fetch(`${proxy}/api/v1/payment`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ order, paymentToken }),
  }));
  return { ...JSON.parse(text), amount: /"quantityPay"\s*:\s*([\d.]+)/.exec(text)[1] };
};
