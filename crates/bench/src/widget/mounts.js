async (count) => {
  const first = document.querySelector("tender-checkout");
  for (let number = 0; number < count; number += 1) {
    const element = first.cloneNode();
    const ready = new Promise((resolve) => element.addEventListener("tender-ready", resolve, { once: true }));
    first.after(element);
    await ready;
    await new Promise(requestAnimationFrame);
    element.remove();
    await new Promise((resolve) => setTimeout(resolve));
  }
}
