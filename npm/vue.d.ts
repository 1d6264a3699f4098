/**
 * The elements in the templates of Vue 3: `import type {} from "tender-checkout/vue"`. Vue's compiler must know that tags
 * that start with `tender-` are custom elements (`isCustomElement`). Its types have attributes in camel case; in templates,
 * write them with hyphens.
 */

import type { DefineComponent, HTMLAttributes } from "vue";
import type { TenderCheckoutElement, TenderEventMap } from "./checkout.js";
import type { TenderPaymentsEventMap } from "./payments.js";
import type { TenderCheckoutProperties, TenderPaymentsProperties } from "./attributes.js";

type Emits<Events> = { [Name in keyof Events & string]: (event: Events[Name]) => void };

type Tag<Properties, Events> = DefineComponent<HTMLAttributes & Properties, {}, {}, {}, {}, {}, {}, Emits<Events>>;

declare module "vue" {
  interface GlobalComponents {
    "tender-checkout": Tag<TenderCheckoutProperties & Partial<Pick<TenderCheckoutElement, "provider">>, TenderEventMap>;
    "tender-payments": Tag<TenderPaymentsProperties, TenderPaymentsEventMap>;
  }
}
