/** Creates an HTML or SVG element with these attributes and children. */
export const create = (tag, attributes = {}, ...children) => {
  const namespace = ["svg", "path"].includes(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
