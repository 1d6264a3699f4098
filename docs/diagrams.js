// Draws the page's Mermaid diagrams, which code hosts draw, too. mdBook shows them as code.
const diagrams = document.querySelectorAll("code.language-mermaid");
if (diagrams.length > 0) {
  const script = document.createElement("script");
  script.src = `${path_to_root}mermaid.tiny.js`;
  script.addEventListener("load", () => {
    const isLight = ["light", "rust"].some((theme) => document.documentElement.classList.contains(theme));
    mermaid.initialize({ startOnLoad: false, theme: isLight ? "default" : "dark" });
    const nodes = Array.from(diagrams, (code) => {
      const node = document.createElement("div");
      node.className = "diagram";
      node.textContent = code.textContent;
      code.closest("pre").replaceWith(node);
      return node;
    });
    mermaid.run({ nodes });
  });
  document.head.append(script);
}
