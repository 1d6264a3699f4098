import { env } from "$env/dynamic/private";
import { checkoutTemplate } from "tender-checkout/server";
import { newOrder } from "$lib/server/order";

/** Runs on the server for each visit. */
export const load = async () => {
  const { PROXY: proxy = "" } = env;
  const order = newOrder();
  return { proxy, order, template: await checkoutTemplate({ proxy, order, attributes: { locale: "en" } }) };
};
