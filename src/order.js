/* What the attributes say about the order, as far as the form shows it. The proxy decides about the price. */

/** The claims of a signed order; an exception if it is no JWT. Numbers keep their digits where the browser can tell them. */
const claimsOf = (jwt) => {
  const base64 = jwt.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt());
  const withDigits = (_, value, context) => (typeof value === "number" ? context?.source ?? String(value) : value);
  return JSON.parse(new TextDecoder().decode(bytes), withDigits);
};

const PLAIN = ["token", "quantity", "invoice-number", "item-number"];

/**
 * Reads an element's order: price, invoice, and what the shop knows about the buyer; an exception if there is none, or
 * more than one.
 */
export const readOrder = (element) => {
  const attribute = (name) => element.getAttribute(name)?.trim() || undefined;
  const order = attribute("order");
  if (order && PLAIN.some(attribute)) throw new Error();
  const claims = order ? claimsOf(order) : {
    token: attribute("token"),
    quantity: attribute("quantity"),
    invoiceNumber: attribute("invoice-number"),
    itemNumber: attribute("item-number"),
  };
  if (!claims.token || !claims.invoiceNumber) throw new Error();
  return {
    ...claims,
    // The order's values take precedence over the page's.
    email: claims.purchaseEmail?.trim() ? claims.purchaseEmail : attribute("purchase-email"),
    name: claims.purchaseName?.trim() ? claims.purchaseName : attribute("purchase-name"),
  };
};
