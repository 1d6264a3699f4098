// Records the position, size and computed styles of every element inside the card. The first call stores them; later
// calls return the differences.
const [host] = arguments;
const card = host.shadowRoot.querySelector("[part=card]");
const corner = card.getBoundingClientRect();
const seen = new Map();
for (const [index, element] of [card, ...card.querySelectorAll("*")].entries()) {
  if (element.localName === "slot") continue; // the page's own children are in it
  const { left, top, width, height } = element.getBoundingClientRect();
  const box = [left - corner.left, top - corner.top, width, height].map((length) => length.toFixed(1));
  const place = `${index} ${element.localName}.${element.className.baseVal ?? element.className}`;
  seen.set(`${place}: box`, width || height ? box.join(" ") : "none");
  const styles = getComputedStyle(element);
  for (const name of styles) seen.set(`${place}: ${name}`, styles.getPropertyValue(name));
}
seen.delete("0 div.card: direction"); // what is said has its own: the card has none to say
const before = (window.seenBefore ??= seen);
const other = [...seen].filter(([what, value]) => before.get(what) !== value);
return [seen.size - before.size, other.map(([what, value]) => `${what}: ${before.get(what)} -> ${value}`)];
