// Layout problems, one line for each element that is cut off, overflows, overlaps another text, or is too small to
// touch. One pixel is allowed for rounding. A table may scroll, and a region of a dialog may scroll up and down, if a
// keyboard can scroll it too.
const [host] = arguments;
const root = host.shadowRoot;
const card = root.querySelector("[part=card]");
const problems = [];
const describe = (element) => element.cloneNode(true).outerHTML.replace(/\s+/g, " ").slice(0, 120);
const report = (what, element) => problems.push(`${what}: ${describe(element)}`);

if (document.documentElement.scrollWidth > innerWidth) {
  problems.push(`the page is ${document.documentElement.scrollWidth} px wide on a screen of ${innerWidth}`);
}

if (root.getAnimations().length) problems.push("something moves, although nobody wants motion");

// A modal dialog covers everything else, so only the dialog is checked.
const modal = card.querySelector("dialog:modal");
const inside = modal ?? card;
const frame = inside.getBoundingClientRect();
if (frame.left < 0 || frame.right > innerWidth) report("is not on the screen", inside);
const ancestors = (element) => element && element !== inside ? [element, ...ancestors(element.parentElement)] : [];
const isOnlyHeard = (element) => ancestors(element).some((one) => getComputedStyle(one).clipPath !== "none");
const isScroller = (element) => {
  const [box, table] = [element, element.querySelector("table")].map((one) => one && getComputedStyle(one));
  return table?.display === "table" && box.overflowX === "auto" && element.tabIndex === 0;
};
const isScrollingRegion = (element) => modal && element.role === "region" && element.tabIndex === 0
  && getComputedStyle(element).overflowY === "auto";
const isScrolled = (element) => ancestors(element.parentElement).some(isScroller);
const seen = [...inside.querySelectorAll("*")].filter((element) =>
  element.checkVisibility() && element.getClientRects().length > 0
  && !isOnlyHeard(element) && !isScrolled(element) && !element.parentElement.closest("svg"));
for (const element of seen) {
  const box = element.getBoundingClientRect();
  // A dialog that is taller than the screen scrolls.
  const end = modal ? Infinity : frame.bottom + 1;
  if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > end) {
    report("sticks out of the card", element);
  }
  const { display } = getComputedStyle(element);
  const canScroll = element.localName === "input" || display === "inline" || isScroller(element);
  if (!canScroll && element.scrollWidth > element.clientWidth + 1) report("is wider than its box", element);
  const isCut = getComputedStyle(element).overflow !== "visible" && element.scrollHeight > element.clientHeight + 1;
  if (isScrollingRegion(element)) {
    if (box.height < 96) report("is too low to read in", element);
  } else if (isCut && !canScroll) {
    report("is cut", element);
  }
}

// Overlapping texts. Ascenders and descenders are left out of a line's height.
const texts = [];
const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const { parentElement, textContent } = walker.currentNode;
  if (!textContent.trim() || !seen.includes(parentElement) || parentElement.closest(".logo")) continue;
  const range = document.createRange();
  range.selectNodeContents(walker.currentNode);
  const region = ancestors(parentElement).find(isScrollingRegion)?.getBoundingClientRect();
  for (const { left, right, top, bottom } of range.getClientRects()) {
    if (region && (bottom > region.bottom || top < region.top)) continue;
    const trim = (bottom - top) / 4;
    texts.push({ parentElement, left: left + 1, right: right - 1, top: top + trim, bottom: bottom - trim });
  }
}
for (const [index, one] of texts.entries()) {
  for (const other of texts.slice(index + 1)) {
    if (one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom) {
      report(`"${one.parentElement.textContent}" lies over`, other.parentElement);
    }
  }
}

for (const element of inside.querySelectorAll("button, a, input, select, summary")) {
  if (!seen.includes(element)) continue;
  const isChoice = ["radio", "checkbox"].includes(element.type);
  const target = isChoice ? element.closest("label") : element;
  const { width, height } = target.getBoundingClientRect();
  const least = element.localName === "button" || isChoice ? 44 : 24;
  if (Math.min(width, height) < least - 0.5) report(`is ${width} x ${height}`, element);
}
return [...new Set(problems)];
