// The minimal checkout in Preact: the same token listing, choice and request, and the amount to pay.

import { render } from "preact";
import { useState } from "preact/hooks";
import { claimsOf, createPayment, listTokens } from "./order.js";
import css from "./checkout.css";

const host = document.querySelector("#checkout");
const { proxy, order } = host.dataset;
const claims = claimsOf(order);
const key = crypto.randomUUID();

const Token = ({ token, name, symbol, logo, network, chosen, choose }) => {
  const [hasLogo, setHasLogo] = useState(Boolean(logo));
  return (
    <label class="token">
      <input type="radio" name="payment-token" value={token} aria-label={`${name}, ${network.name}`}
        checked={chosen === token} onChange={() => choose(token)} />
      <span class="logo" aria-hidden="true">
        {symbol.slice(0, 1)}
        {hasLogo && <img src={logo} alt="" loading="lazy" width="36" height="36" onError={() => setHasLogo(false)} />}
      </span>
      <span class="names"><span>{name}</span><span class="network">{network.name}</span></span>
      <span>{symbol}</span>
    </label>
  );
};

const Payment = ({ amount, wallet, statusText, token: { symbol, network } }) => (
  <section aria-label="Payment">
    <p part="status" role="status">{statusText}</p>
    <span class="label">Send exactly, on {network.name}</span>
    <b class="figure" part="amount" data-value={amount}>{amount} {symbol}</b>
    <dl><dt class="label">To</dt><dd part="wallet">{wallet}</dd></dl>
  </section>
);

const Checkout = ({ tokens }) => {
  const [chosen, choose] = useState();
  const [isBusy, setIsBusy] = useState(false);
  const [note, setNote] = useState("");
  const [payment, setPayment] = useState();
  if (payment) return <Payment {...payment} />;
  const submit = async (event) => {
    event.preventDefault();
    if (!chosen) return setNote("Choose a token first.");
    setIsBusy(true);
    try {
      const payment = await createPayment(proxy, order, chosen, key);
      setPayment({ ...payment, token: tokens.find(({ token }) => token === chosen) });
    } catch (error) {
      setNote(`The payment could not be created (${error.message}). Try again.`);
      setIsBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <span class="label">Total</span>
      <b class="figure">{claims.quantity} {tokens.find(({ token }) => token === claims.token)?.symbol ?? claims.token}</b>
      <div role="radiogroup" aria-labelledby="pay-with">
        <span class="label" id="pay-with">Pay with</span>
        {tokens.map((token) => <Token key={token.token} {...token} chosen={chosen} choose={choose} />)}
      </div>
      <p role="alert">{note}</p>
      <button type="submit" disabled={isBusy}>Pay</button>
    </form>
  );
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
const root = host.attachShadow({ mode: "open" });
root.adoptedStyleSheets = [sheet];
const card = document.createElement("div");
card.className = "card";
root.append(card);
render(<p role="status">Loading</p>, card);
listTokens(proxy).then(
  (tokens) => render(<Checkout tokens={tokens} />, card),
  (error) => render(<p role="alert">{`The tokens could not be loaded (${error.message}). Reload the page.`}</p>, card),
);
