import { mount } from "svelte";
import Checkout from "./Checkout.svelte";

const { proxy, order } = await (await fetch("/order")).json();
const target = document.getElementById("app");
if (target) mount(Checkout, { target, props: { proxy, order } });
