// What has the focus, in whatever shadow root; `null` where it is the page's own. And how it is seen.
let focused = document.activeElement;
while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
if (focused === document.body) focused = null;

const seen = (element) => {
  if (!element) return { isMarked: true, isInSight: true };
  // A control may be drawn by its label.
  const drawn = [element, element.closest("label") ?? element];
  // What is no control, and has the focus to be read on from there, needs no mark.
  const isMarked = element.tabIndex < 0 || drawn.map((one) => getComputedStyle(one)).some(
    ({ outlineStyle, outlineWidth }) => outlineStyle === "auto" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2));
  // The middle of what of it is on the screen: there it must be the one that a pointer meets.
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [[left, right, innerWidth], [top, bottom, innerHeight]]
    .map(([from, to, end]) => (Math.max(from, 0) + Math.min(to, end)) / 2);
  const met = element.getRootNode().elementFromPoint(x, y);
  return { isMarked, isInSight: drawn.some((one) => one.contains(met)) };
};
