import { createApp } from "vue";
import Checkout from "./Checkout.vue";

const { proxy, order } = await (await fetch("/order")).json();
createApp(Checkout, { proxy, order }).mount("#app");
