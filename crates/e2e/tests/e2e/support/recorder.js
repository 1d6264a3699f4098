// Runs before the scripts of each page: records events, errors and policy violations.
(() => {
  const events = [];
  const errors = [];
  const refused = [];
  for (const name of ["ready", "created", "status", "transaction", "cancelled", "paid", "closed", "error"]) {
    addEventListener(`tender-${name}`, ({ type, detail }) => events.push({ type, detail }));
  }
  const record = (error) => errors.push(`${error}\n${error?.stack}`);
  addEventListener("error", ({ error, message }) => record(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => record(reason));
  addEventListener("tender-error", ({ detail }) => errors.push(detail.message));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    refused.push(`${effectiveDirective}: ${blockedURI}`);
  });
  window.recorded = { events, errors, refused };
})();
