// Runs before the first script of each page: what the page is told, and what its policy refuses.
(() => {
  const told = [];
  const refused = [];
  for (const name of ["ready", "created", "status", "transaction", "cancelled", "error"]) {
    addEventListener(`tender-${name}`, ({ type, detail, target }) => told.push({ type, detail, target: target.id }));
  }
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    refused.push(`${effectiveDirective}: ${blockedURI}`);
  });
  window.recorded = { told, refused };
})();
