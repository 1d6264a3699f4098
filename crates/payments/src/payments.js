/*
 * The loader of <tender-payments>, served as `payments.js`.
 *
 * This file contains only what is specific to this element. The code shared with <tender-checkout> is in
 * `crates/element/loader`.
 */
import * as texts from "../locales/en.json";
import { TenderElement, define } from "../../element/loader/index.js";

class TenderPayments extends TenderElement {
  static tag = "tender-payments";
  static attributes = ["proxy", "locale", "theme", "texts"];
  static english = {
    "crashed-title": texts["crashed-title"],
    "crashed": texts["crashed"],
    "load-failed-title": texts["load-failed-title"],
    "load-failed": texts["load-failed"],
    "reload": texts["reload"],
    "try-again": texts["try-again"],
    "unsupported": texts["unsupported"],
  };
}

define(TenderPayments);
