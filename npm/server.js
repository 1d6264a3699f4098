/* The checkout's form for the HTML of a page. It needs nothing but `fetch`, so it also runs in edge runtimes. */

const TIMEOUT = 300; // milliseconds, by which a page is delayed if the proxy does not respond
const KEPT_FOR = 60_000;
const FAILURE_KEPT_FOR = 5_000;
const MAX_LENGTH = 65_536;
const MAX_FORMS = 100;

/** The forms and failures that are kept, by their address. */
const forms = new Map();

/** The claims of an order, which are only shown: the proxy verifies it. Numbers become strings, which keep their digits. */
const claimsOf = (order) => {
  const base64 = order.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
  const json = new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  return JSON.parse(json.replace(/("(?:[^"\\]|\\.)*")|-?\d[-+.\deE]*/g, (number, string) => string ?? `"${number}"`));
};

/** The address of the form: only an element's own attributes and its price change it. */
const addressOf = (proxy, order, { accept, ask, locale, "payment-token": paymentToken }) => {
  const { token, quantity, itemNumber } = claimsOf(order);
  const price = { token, quantity, "item-number": itemNumber };
  const known = { ...price, accept, "payment-token": paymentToken, ask, locale, inline: "style" };
  const given = Object.entries(known).filter(([, value]) => value);
  return `${proxy.replace(/\/+$/, "")}/v1/checkout.html?${new URLSearchParams(given)}`;
};

/** What the proxy sends becomes part of the page: anything but a form is an exception. */
const request = async (address) => {
  const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) });
  const html = await response.text();
  const isHtml = response.status === 200 && /^text\/html\b/i.test(response.headers.get("content-type"));
  if (!isHtml || html.length > MAX_LENGTH || /<script/i.test(html)) throw new Error("the response is not the form");
  return html;
};

const formAt = async (address) => {
  const kept = forms.get(address);
  if (kept?.until > Date.now()) return kept.html;
  const html = await request(address).catch(() => "");
  if (forms.size >= MAX_FORMS) forms.clear();
  forms.set(address, { html, until: Date.now() + (html ? KEPT_FOR : FAILURE_KEPT_FOR) });
  return html;
};

export const checkoutTemplate = async ({ proxy, order, attributes = {}, nonce }) => {
  // Only what can't end the attribute that it is put into.
  if (attributes.texts || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(order)) return "";
  try {
    const form = await formAt(addressOf(proxy, order, attributes));
    if (!form) return "";
    const html = nonce ? form.replace("<style>", () => `<style nonce="${nonce}">`) : form;
    return `<template shadowrootmode="open">${html.replaceAll("{{order}}", order)}</template>`;
  } catch {
    return ""; // claims that can't be read
  }
};
