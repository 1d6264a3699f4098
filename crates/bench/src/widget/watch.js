// Runs in each page before its own scripts and reports when an element can be used: painted, enabled, and not covered by
// another element at its centre. It checks once per frame, and only after a change. It works the same for all variants and
// in closed shadow roots.
(() => {
  if (window !== top) return; // no variant has its first choice in a frame
  performance.mark("bench start");
  let roots = []; // weak references, so that removed roots can be collected
  const inner = new WeakMap();
  const watches = [];
  let isScheduled = false;
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

  // A radio button is often hidden, and its label visible.
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

  const add = (host, root) => {
    roots = [...roots.filter((root) => root.deref()), new WeakRef(root)];
    inner.set(host, root);
    observe(root);
  };

  // The parser attaches declarative roots without a call of `attachShadow`.
  const addDeclared = () => {
    for (const host of document.querySelectorAll(":not(:defined)")) {
      if (host.shadowRoot && !inner.has(host)) add(host, host.shadowRoot);
    }
  };

  const find = (selector) => {
    addDeclared();
    for (const root of [document, ...roots.map((root) => root.deref())]) {
      const element = root?.querySelector(selector);
      if (element) return element;
    }
    return undefined;
  };

  const report = (name, element) => {
    const time = performance.now();
    performance.mark(`bench ${name}`);
    benchReport(JSON.stringify({ name, time, sincePress: time - pressed, centre: centreOf(element) }));
  };

  // A message that is posted in an animation frame arrives after that frame was painted. The layout is complete then, so
  // the check is cheap.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    isScheduled = false;
    for (const watch of [...watches]) {
      const element = find(watch.selector);
      if (!element) continue;
      if (isUsable(element)) {
        watches.splice(watches.indexOf(watch), 1);
        report(watch.name, element);
      } else schedule(); // a transition causes no mutation
    }
  };

  const schedule = () => {
    if (isScheduled || !watches.length) return;
    isScheduled = true;
    requestAnimationFrame(() => port2.postMessage(0));
  };

  const observer = new MutationObserver(schedule);
  const observe = (root) => observer.observe(root, { subtree: true, childList: true, attributes: true });
  observe(document);

  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (...options) {
    const root = attachShadow.apply(this, options);
    add(this, root);
    schedule();
    return root;
  };

  // V8 does not count WebAssembly memories as part of its heap, so collect them here.
  const memories = [];
  const keep = (memory) => memories.push(new WeakRef(memory));
  const keepAll = (result) => {
    const { exports } = result.instance ?? result;
    for (const value of Object.values(exports ?? {})) if (value instanceof Memory) keep(value);
    return result;
  };
  const { Memory } = WebAssembly;
  WebAssembly.Memory = new Proxy(Memory, {
    construct(...args) {
      const memory = Reflect.construct(...args);
      keep(memory);
      return memory;
    },
  });
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (...args) => keepAll(Reflect.construct(...args)),
  });
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...args) => original.apply(WebAssembly, args).then(keepAll);
  }

  // A script's own `click()` is not a press.
  addEventListener("click", ({ isTrusted, timeStamp }) => {
    if (isTrusted) pressed = timeStamp;
  }, true);

  const collect = (type, options) => {
    const entries = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type, buffered: true, ...options });
    return () => {
      entries.push(...observer.takeRecords());
      return entries;
    };
  };
  const shifts = collect("layout-shift");
  const events = collect("event", { durationThreshold: 16 }); // the lowest that browsers report

  globalThis.bench = {
    watch(name, selector) {
      watches.push({ name, selector });
      schedule();
    },
    centre: (selector) => centreOf(find(selector)),
    centres: (selector) => Array.from(find(selector).getRootNode().querySelectorAll(selector), centreOf),
    /** The sum of the layout shifts after this time. */
    shiftAfter: (time) => shifts().reduce((sum, { startTime, value }) => sum + (startTime > time ? value : 0), 0),
    /** Milliseconds from each press, key or tap until the next frame was painted. */
    interactions: () => events().filter(({ interactionId }) => interactionId).map(({ duration }) => duration),
    wasmBytes() {
      const buffers = new Set(memories.map((memory) => memory.deref()?.buffer));
      return [...buffers].reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0);
    },
  };
})();
