// The minimal checkout in plain JavaScript: the same token listing, choice and request, and the amount to pay.

import { claimsOf, createPayment, listTokens } from "./order.js";
import css from "./checkout.css";

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const host = document.querySelector("#checkout");
const { proxy, order } = host.dataset;
const claims = claimsOf(order);
const card = make("div", { class: "card" });

const token = ({ token, name, symbol, logo, network }) => {
  const image = make("img", { src: logo, alt: "", loading: "lazy", width: 36, height: 36 });
  image.onerror = () => image.remove();
  return make("label", { class: "token" },
    make("input", { type: "radio", name: "payment-token", value: token, "aria-label": `${name}, ${network.name}` }),
    make("span", { class: "logo", "aria-hidden": "true" }, symbol.slice(0, 1), image),
    make("span", { class: "names" }, make("span", {}, name), make("span", { class: "network" }, network.name)),
    make("span", {}, symbol));
};

const choose = (tokens) => {
  const button = make("button", { type: "submit" }, "Pay");
  const note = make("p", { role: "alert" });
  const form = make("form", {},
    make("span", { class: "label" }, "Total"),
    make("b", { class: "figure" }, `${claims.quantity} ${tokens.find(({ token }) => token === claims.token)?.symbol ?? claims.token}`),
    make("div", { role: "radiogroup", "aria-labelledby": "pay-with" },
      make("span", { class: "label", id: "pay-with" }, "Pay with"), ...tokens.map(token)),
    note, button);
  const key = crypto.randomUUID();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const chosen = new FormData(form).get("payment-token");
    if (!chosen) return void (note.textContent = "Choose a token first.");
    button.disabled = true;
    try {
      show(await createPayment(proxy, order, chosen, key), tokens.find(({ token }) => token === chosen));
    } catch (error) {
      note.textContent = `The payment could not be created (${error.message}). Try again.`;
      button.disabled = false;
    }
  };
  card.replaceChildren(form);
};

const show = ({ amount, wallet, statusText }, { symbol, network }) => {
  card.replaceChildren(make("section", { "aria-label": "Payment" },
    make("p", { part: "status", role: "status" }, statusText),
    make("span", { class: "label" }, `Send exactly, on ${network.name}`),
    make("b", { class: "figure", part: "amount", "data-value": amount }, `${amount} ${symbol}`),
    make("dl", {}, make("dt", { class: "label" }, "To"), make("dd", { part: "wallet" }, wallet))));
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
const root = host.attachShadow({ mode: "open" });
root.adoptedStyleSheets = [sheet];
root.append(card);
card.append(make("p", { role: "status" }, "Loading"));
listTokens(proxy).then(choose, (error) => card.replaceChildren(
  make("p", { role: "alert" }, `The tokens could not be loaded (${error.message}). Reload the page.`)));
