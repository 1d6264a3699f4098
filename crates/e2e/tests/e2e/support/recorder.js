// Runs before the scripts of each page: records events and policy violations.
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
