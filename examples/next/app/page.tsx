import { connection } from "next/server";
import { checkoutTemplate } from "tender-checkout/server";
import { Checkout } from "./checkout";
import { newOrder } from "./order";

/** Rendered by the server for each visit. */
export default async function Page() {
  await connection();
  const { PROXY: proxy = "" } = process.env;
  const order = newOrder();
  const template = await checkoutTemplate({ proxy, order, attributes: { locale: "en" } });
  return <Checkout proxy={proxy} order={order} template={template} />;
}
