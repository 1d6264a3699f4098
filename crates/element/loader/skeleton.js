/* What the card shows while the module is loading. */
import { create } from "./dom.js";

const BARS = 8;

export const skeleton = () => {
  const element = create("div", { class: "skeleton", role: "status", "aria-busy": "true", tabindex: "-1" });
  for (let bar = 0; bar < BARS; bar += 1) element.append(create("i"));
  return element;
};
