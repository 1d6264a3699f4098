// Runs before the scripts of each page: records events and policy violations.
(() => {
  const events = [];
  const refused = [];
  for (const name of ["ready", "created", "status", "transaction", "cancelled", "paid", "closed", "error"]) {
    addEventListener(`tender-${name}`, ({ type, detail }) => events.push({ type, detail }));
  }
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    refused.push(`${effectiveDirective}: ${blockedURI}`);
  });
  window.recorded = { events, refused };
})();
