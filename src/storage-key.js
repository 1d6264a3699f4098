/** The `sessionStorage` key of the state that the tab saves of an order (`src/session.rs`). */
export const storageKey = (proxy, invoice) => `tender-checkout ${proxy} ${invoice}`;
