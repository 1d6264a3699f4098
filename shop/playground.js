/* The playground: applies the form's values to the checkout, and writes the code for a page with them. */

const form = document.querySelector("form");
const checkout = document.querySelector("tender-checkout");
const status = document.querySelector("[role=status]");
const proxy = checkout.getAttribute("proxy");
const names = new Set([...form.elements].map(({ name }) => name).filter(Boolean));

const isProperty = (name) => name.startsWith("--");

/** The values that are set, by name. `accept` and `ask` have several controls: lists separated by spaces. */
const readValues = () => {
  const values = new Map();
  for (const [name, text] of new FormData(form)) {
    const value = text.trim();
    if (value) values.set(name, values.has(name) ? `${values.get(name)} ${value}` : value);
  }
  return values;
};

const apply = (values) => {
  for (const name of names) {
    const value = values.get(name);
    if (isProperty(name)) checkout.style.setProperty(name, value ?? "");
    else if (value === undefined) checkout.removeAttribute(name);
    else if (checkout.getAttribute(name) !== value) checkout.setAttribute(name, value);
  }
};

const escape = (value) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

const writeHtml = (values) => {
  // The order of a page is signed for each buyer.
  const order = `${values.get("order").slice(0, 10)}...`;
  const attributes = [["proxy", proxy], ...values, ["order", order]].filter(([name]) => !isProperty(name));
  const written = [...new Map(attributes)].map(([name, value]) => ` ${name}="${escape(value)}"`);
  return `<script src="${proxy}/v1/checkout.js" async></script>
<tender-checkout${written.join("")}>
  <a href="${proxy}/pay?order=${order}">Pay without JavaScript</a>
</tender-checkout>`;
};

const writeCss = (values) => {
  const rules = [...values].filter(([name]) => isProperty(name)).map(([name, value]) => `  ${name}: ${value};\n`);
  return rules.length ? `tender-checkout {\n${rules.join("")}}` : "/* No custom property is set. */";
};

const update = () => {
  const values = readValues();
  apply(values);
  document.querySelector("#html").textContent = writeHtml(values);
  document.querySelector("#css").textContent = writeCss(values);
  status.textContent = "";
};

form.addEventListener("input", ({ target }) => {
  const { sets } = target.dataset;
  if (sets) form.elements[sets].value = target.value;
  update();
});
for (const button of document.querySelectorAll("[data-preset]")) {
  button.addEventListener("click", () => {
    const preset = JSON.parse(button.dataset.preset);
    for (const { name } of form.elements) {
      if (isProperty(name) || name in preset) form.elements[name].value = preset[name] ?? "";
    }
    update();
  });
}

// A screen of a payment comes from a stand-in for the proxy, with the order of the first option.
for (const button of document.querySelectorAll("[data-screen]")) {
  button.addEventListener("click", () => {
    for (const other of document.querySelectorAll("[data-screen]")) other.ariaPressed = String(other === button);
    form.elements.order.selectedIndex = 0;
    checkout.setAttribute("proxy", button.dataset.screen);
    update();
  });
}

// The form is reset after this event.
form.addEventListener("reset", () => setTimeout(update));

for (const button of document.querySelectorAll("[data-copies]")) {
  const code = document.getElementById(button.dataset.copies);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      status.textContent = "Copied.";
    } catch {
      // Without HTTPS or permission, the page can't write to the clipboard.
      getSelection().selectAllChildren(code);
      status.textContent = "The code is selected. Copy it with your keyboard or the menu.";
    }
  });
}

update();
