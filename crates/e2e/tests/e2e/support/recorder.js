// Runs before the scripts of each page: records events and policy violations.
(() => {
  const events = [];
  const refused = [];
  for (const name of ["ready", "created", "status", "transaction", "cancelled", "paid", "closed", "error"]) {
    addEventListener(`tender-${name}`, ({ type, detail, target }) => events.push({ type, detail, target: target.id }));
  }
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    refused.push(`${effectiveDirective}: ${blockedURI}`);
  });
  window.recorded = { events, refused };
})();
