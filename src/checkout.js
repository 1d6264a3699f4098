/*
 * The loader of <tender-checkout>, served as `checkout.js`.
 *
 * This file contains only what is specific to the checkout. The code shared with <tender-payments> is in
 * `crates/element/loader`.
 */
import * as texts from "../locales/en.json";
import { TenderElement, callModule, define, scheduleUpdate } from "../crates/element/loader/index.js";
import { adopt, load, prefetch } from "./first-paint.js";

class TenderCheckout extends TenderElement {
  static tag = "tender-checkout";
  static attributes = [
    "proxy", "order", "token", "quantity", "invoice-number", "item-number", "payment-token",
    "accept", "ask", "purchase-email", "purchase-name", "locale", "theme", "texts",
  ];
  static properties = ["provider"];
  static english = {
    "crashed-title": texts["crashed-title"],
    "crashed": texts["crashed"],
    "load-failed-title": texts["load-failed-title"],
    "load-failed": texts["load-failed"],
    "reload": texts["reload"],
    "try-again": texts["try-again"],
    "unsupported": texts["unsupported"],
  };
  static prefetch = prefetch;
  static load = load;
  static adopt = adopt;

  #provider = null;

  /** A wallet added by the shop (an EIP-1193 provider), listed before the wallets in the buyer's browser. */
  get provider() {
    return this.#provider;
  }
  set provider(provider) {
    this.#provider = provider ?? null;
    this[scheduleUpdate]();
  }

  /** Shows the token choice again. An existing payment is kept. */
  reset() {
    this[callModule]("reset");
  }
}

define(TenderCheckout);
