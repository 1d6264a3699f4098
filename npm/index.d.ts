/** Loads Tender's elements, and declares their types. */

// Both have only types; TypeScript 4 has no `export type *`.
export * from "./checkout.js";
export * from "./payments.js";

export interface LoadTenderOptions {
  /**
   * The address of `checkout.js` or `payments.js` on the merchant proxy, such as `https://pay.shop.example/v1/checkout.js`.
   * A relative address is relative to the page. It may also be the address of a pinned script, such as
   * `checkout-0.1.0-0123456789abcdef.js`, or a `TrustedScriptURL` (which TypeScript's library doesn't declare).
   */
  src: string | URL | { toString(): string };
  /** The nonce of the page's Content Security Policy. The script that calls `loadTender` passes on its own. */
  nonce?: string | undefined;
  /**
   * The hash of a pinned script (Subresource Integrity). `checkout.js` changes with each release of the proxy: then it is
   * not loaded until the hash is updated.
   */
  integrity?: string | undefined;
}

/**
 * Loads the script, and resolves when its element is registered. Until then, and if it fails, browsers show the element's
 * children. Calls with the same `src` share one load; after a failure, the next call tries again. On a server, it does
 * nothing.
 *
 * The script is imported, which needs no policy of Trusted Types. With `nonce` or `integrity`, it becomes a script element:
 * then a page that requires Trusted Types must pass `src` as a `TrustedScriptURL`.
 *
 * @throws An `Error` if the script can't be loaded, or doesn't register its element.
 */
export function loadTender(options: LoadTenderOptions): Promise<void>;
