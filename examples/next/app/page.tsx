import { connection } from "next/server";
import { Checkout } from "./checkout";
import { newOrder } from "./order";

/** Rendered by the server for each visit. */
export default async function Page() {
  await connection();
  return <Checkout proxy={process.env.PROXY ?? ""} order={newOrder()} />;
}
