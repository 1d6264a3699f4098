// The focused element, in any shadow root, and whether the focus is visible; `null` if the page itself has the focus.
let focused = document.activeElement;
while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
if (focused === document.body) focused = null;

const seen = (element) => {
  if (!element) return { isMarked: true, isInSight: true };
  // A control may be drawn by its label.
  const drawn = [element, element.closest("label") ?? element];
  // An element that is not a control, and has the focus only as a starting point, needs no focus indicator.
  const isMarked = element.tabIndex < 0 || drawn.map((one) => getComputedStyle(one)).some(
    ({ outlineStyle, outlineWidth }) => outlineStyle === "auto" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2));
  // The centre of its visible area, where the element must be on top.
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [[left, right, innerWidth], [top, bottom, innerHeight]]
    .map(([from, to, end]) => (Math.max(from, 0) + Math.min(to, end)) / 2);
  const met = element.getRootNode().elementFromPoint(x, y);
  return { isMarked, isInSight: drawn.some((one) => one.contains(met)) };
};
