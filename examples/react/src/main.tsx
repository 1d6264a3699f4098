import { createRoot } from "react-dom/client";
import { Checkout } from "./Checkout";

const { proxy, order } = await (await fetch("/order")).json();
const app = document.getElementById("app");
if (app) createRoot(app).render(<Checkout proxy={proxy} order={order} />);
