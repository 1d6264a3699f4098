// Roles and names as assistive technology gets them, for browsers that don't tell them to a page.
import { computeAccessibleName, getRole, isInaccessible } from "dom-accessibility-api";

/** Whether the element is left out of the accessibility tree. */
function isHidden(element) {
  const root = element.getRootNode();
  return (
    !element.checkVisibility() ||
    isInaccessible(element) ||
    // The library looks no further than the shadow root.
    (root instanceof ShadowRoot && isHidden(root.host))
  );
}

/** The role in ARIA's words, empty for an element that has none there. */
export function role(element) {
  if (isHidden(element)) return "";
  // The library calls it a button.
  if (element.localName === "summary") return "";
  // The library has no role for it, and browsers have this one.
  if (element.type === "password") return "textbox";
  const role = getRole(element);
  if (role === "region" && name(element) === "") return "";
  // The name since ARIA 1.3.
  return role === "img" ? "image" : (role ?? "");
}

/** The accessible name. */
export function name(element) {
  if (isHidden(element)) return "";
  const name = computeAccessibleName(element, { computedStyleSupportsPseudoElements: true });
  // The library puts a space between generated brackets and what they enclose.
  return name.replaceAll("( ", "(").replaceAll(" )", ")");
}
