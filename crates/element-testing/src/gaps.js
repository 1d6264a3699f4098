// Layout problems of an element's controls, one line for each: two that are closer than 8 px, or a box with a warning and what is
// above or below it, a text that is cut off, a border or a text with too little contrast (WCAG 2.2, 1.4.3 and 1.4.11). `host` is the
// element, or the `main` of the payment page, which has no shadow root.
const [host] = arguments;
const root = host.shadowRoot ?? document;
const card = root.querySelector(".card");
const inside = card.querySelector("dialog:modal") ?? card;
const problems = [];
// Colours of now, not those on the way from another theme.
const still = new CSSStyleSheet();
still.replaceSync("*, ::before, ::after { transition: none !important }");
const { adoptedStyleSheets } = root;
root.adoptedStyleSheets = [...adoptedStyleSheets, still];
const describe = (element) => element.cloneNode(true).outerHTML.replace(/\s+/g, " ").slice(0, 90);

const isSeen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
const targetOf = (element) => (["radio", "checkbox"].includes(element.type) && element.closest("label")) || element;
const found = [...inside.querySelectorAll("button, a, summary, input, select, textarea")].filter(isSeen);
const slotted = [...host.querySelectorAll("a, button")].filter(isSeen);
const controls = [...new Set([...found.map(targetOf), ...slotted])];

const LEAST = 8;
const distance = (one, other) => {
  const across = Math.max(one.left - other.right, other.left - one.right);
  const down = Math.max(one.top - other.bottom, other.top - one.bottom);
  return Math.max(across, down);
};
for (const [index, one] of controls.entries()) {
  for (const other of controls.slice(index + 1)) {
    if (one.contains(other) || other.contains(one)) continue;
    // What scrolls can be moved away from what does not.
    if (one.closest(".scroll") !== other.closest(".scroll")) continue;
    const gap = distance(one.getBoundingClientRect(), other.getBoundingClientRect());
    if (gap < LEAST - 0.5) problems.push(`${gap.toFixed(1)} px between ${describe(one)} and ${describe(other)}`);
  }
}

for (const box of inside.querySelectorAll(".boxed, .alert")) {
  for (const other of [box.previousElementSibling, box.nextElementSibling]) {
    if (!other || !isSeen(box) || !isSeen(other)) continue;
    const gap = distance(box.getBoundingClientRect(), other.getBoundingClientRect());
    if (gap < LEAST - 0.5) problems.push(`${gap.toFixed(1)} px between ${describe(box)} and ${describe(other)}`);
  }
}

for (const control of found) {
  if (control.scrollWidth > control.clientWidth + 1 && control.localName !== "input" && getComputedStyle(control).display !== "inline") {
    problems.push(`cut off: ${describe(control)}`);
  }
}

// A select element hides what it has no room for, and measures as if it had.
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
for (const control of found) {
  if (control.localName !== "select") continue;
  const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(control);
  canvas.font = font;
  const room = control.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
  for (const { text, selected } of control.options) {
    if (selected && canvas.measureText(text).width > room + 1) problems.push(`cut off: "${text}" in ${describe(control)}`);
  }
}

// Colours as the browser paints them, whatever their notation.
const paint = (colours) => {
  canvas.clearRect(0, 0, 1, 1);
  for (const colour of colours) {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
  }
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const luminance = (rgb) => {
  const [red, green, blue] = rgb.map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const behind = (element) => {
  const colours = [];
  for (let one = element; one; one = one.parentElement ?? one.getRootNode().host) colours.unshift(getComputedStyle(one).backgroundColor);
  return ["#fff", ...colours];
};
for (const control of found) {
  const { color, borderTopColor, borderTopWidth, opacity } = getComputedStyle(control);
  const isDimmed = Number(opacity) < 1 || control.closest("[inert], [aria-disabled=true], :disabled");
  if (isDimmed || ["radio", "checkbox"].includes(control.type)) continue;
  const own = behind(control);
  const text = contrast(paint([...own, color]), paint(own));
  if (text < 4.5) problems.push(`text with a contrast of ${text.toFixed(1)}: ${describe(control)}`);
  const around = behind(control.parentElement ?? control.getRootNode().host);
  const isFilled = contrast(paint(own), paint(around)) > 3;
  const isDrawn = parseFloat(borderTopWidth) > 0 && !/^(rgba\(.*, 0\)|transparent)$/.test(borderTopColor);
  const border = contrast(paint([...around, borderTopColor]), paint(around));
  if (isDrawn && !isFilled && border < 3) problems.push(`border with a contrast of ${border.toFixed(1)}: ${describe(control)}`);
}
root.adoptedStyleSheets = adoptedStyleSheets;
return [...new Set(problems)];
