/* The properties of the elements. */

/** payment-token -> paymentToken */
const propertyOf = (attribute) => attribute.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** Makes each attribute of this class a property, too. */
export const reflectAttributes = ({ prototype, attributes, booleans }) => {
  for (const name of attributes) {
    const isBoolean = booleans.includes(name);
    Object.defineProperty(prototype, propertyOf(name), {
      configurable: true,
      enumerable: true,
      get() {
        return isBoolean ? this.hasAttribute(name) : this.getAttribute(name);
      },
      set(value) {
        if (isBoolean) this.toggleAttribute(name, Boolean(value));
        else if (value === null || value === undefined) this.removeAttribute(name);
        else this.setAttribute(name, String(value));
      },
    });
  }
};

/** A property that was set before the element was defined hides the accessor: sets it again. */
export const upgradeProperties = (element) => {
  const { attributes, properties } = element.constructor;
  for (const name of [...attributes.map(propertyOf), ...properties]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
};
