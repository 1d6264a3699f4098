// Records the position, size and computed styles of every element inside the card. The first call stores them; later
// calls return the differences.
const [host] = arguments;
const card = host.shadowRoot.querySelector("[part=card]");
const corner = card.getBoundingClientRect();
// They are the same for each element.
const names = [...getComputedStyle(card)];
const seen = new Map();
for (const [index, element] of [card, ...card.querySelectorAll("*")].entries()) {
  if (element.localName === "slot") continue; // the page's own children are in it
  const { left, top, width, height } = element.getBoundingClientRect();
  const box = [left - corner.left, top - corner.top, width, height].map((length) => length.toFixed(1));
  const styles = getComputedStyle(element);
  const values = names.map((name) => styles.getPropertyValue(name));
  const place = `${index} ${element.localName}.${element.className.baseVal ?? element.className}`;
  seen.set(place, [...values, width || height ? box.join(" ") : "none"]);
}
const [ofCard] = seen.values();
ofCard[names.indexOf("direction")] = ""; // what is said has its own: the card has none to say
const before = (window.seenBefore ??= seen);
const other = [...seen].flatMap(([place, values]) => values.flatMap((value, index) => {
  const earlier = before.get(place)?.[index];
  return value === earlier ? [] : [`${place}: ${names[index] ?? "box"}: ${earlier} -> ${value}`];
}));
return [seen.size - before.size, other];
