// Runs in each page before its own scripts, and tells when something is there for the buyer: on the screen after a frame
// was painted, enabled, and under the pointer where one would press it. It looks once a frame, and only
// after something has changed. The same for all variants, closed shadow roots included.
(() => {
  if (window !== top) return; // no choice of these is in a frame
  performance.mark("bench start");
  let roots = []; // weakly held: what a page removes must go
  const inner = new WeakMap();
  const watches = [];
  let isAsked = false;
  let pressed = 0;

  const elementAt = (x, y) => {
    let element = document.elementFromPoint(x, y);
    for (let root; (root = inner.get(element)); ) {
      const next = root.elementFromPoint(x, y);
      if (!next || next === element) break;
      element = next;
    }
    return element;
  };

  // A radio is often drawn by its label.
  const areaOf = (element) => element.closest("label") ?? element;

  const centreOf = (element) => {
    const { x, y, width, height } = areaOf(element).getBoundingClientRect();
    return width > 0 && height > 0 ? [x + width / 2, y + height / 2] : undefined;
  };

  const isUsable = (element) => {
    if (element.matches(":disabled, [aria-disabled=true]")) return false;
    const area = areaOf(element);
    if (!area.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const centre = centreOf(element);
    let hit = centre && elementAt(...centre);
    while (hit && hit !== area) hit = hit.parentNode ?? hit.host;
    return Boolean(hit);
  };

  const find = (selector) => {
    for (const root of [document, ...roots.map((root) => root.deref())]) {
      const element = root?.querySelector(selector);
      if (element) return element;
    }
    return undefined;
  };

  const tell = (name) => {
    const time = performance.now();
    performance.mark(`bench ${name}`);
    benchReport(JSON.stringify({ name, time, sincePress: time - pressed }));
  };

  // A message that is sent while a frame is made comes after that frame was painted. Then layout is done, and looking
  // costs next to nothing.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    isAsked = false;
    for (const watch of [...watches]) {
      const element = find(watch.selector);
      if (!element) continue;
      if (isUsable(element)) {
        watches.splice(watches.indexOf(watch), 1);
        tell(watch.name);
      } else ask(); // a transition makes no mutation
    }
  };

  const ask = () => {
    if (isAsked || !watches.length) return;
    isAsked = true;
    requestAnimationFrame(() => port2.postMessage(0));
  };

  const observer = new MutationObserver(ask);
  const observe = (root) => observer.observe(root, { subtree: true, childList: true, attributes: true });
  observe(document);

  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (...options) {
    const root = attachShadow.apply(this, options);
    roots = [...roots.filter((root) => root.deref()), new WeakRef(root)];
    inner.set(this, root);
    observe(root);
    ask();
    return root;
  };

  // V8 keeps the memories of WebAssembly apart from its heap, and tells nobody how much they are.
  const memories = [];
  const keep = (memory) => memories.push(new WeakRef(memory));
  const keepAll = (result) => {
    const { exports } = result.instance ?? result;
    for (const value of Object.values(exports ?? {})) if (value instanceof Memory) keep(value);
    return result;
  };
  const { Memory } = WebAssembly;
  WebAssembly.Memory = new Proxy(Memory, {
    construct(...how) {
      const memory = Reflect.construct(...how);
      keep(memory);
      return memory;
    },
  });
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (...how) => keepAll(Reflect.construct(...how)),
  });
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...given) => original.apply(WebAssembly, given).then(keepAll);
  }

  addEventListener("click", ({ timeStamp }) => (pressed = timeStamp), true);

  globalThis.bench = {
    watch(name, selector) {
      watches.push({ name, selector });
      ask();
    },
    centre: (selector) => centreOf(find(selector)),
    wasmBytes() {
      const buffers = new Set(memories.map((memory) => memory.deref()?.buffer));
      return [...buffers].reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0);
    },
  };
})();
