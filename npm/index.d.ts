/** Loads Tender's elements, and declares their types. */

export type * from "./checkout.js";
export type * from "./payments.js";

export interface LoadTenderOptions {
  /**
   * The address of `checkout.js` or `payments.js` on the merchant proxy, such as `https://pay.shop.example/v1/checkout.js`.
   * A relative address is relative to the page.
   */
  src: string | URL;
  /** The nonce of the page's Content Security Policy. */
  nonce?: string | undefined;
  /**
   * The script's hash (Subresource Integrity). The script changes with each release of the proxy: then it is not loaded
   * until the hash is updated.
   */
  integrity?: string | undefined;
}

/**
 * Loads the script, and resolves when its element is registered. Until then, and if it fails, browsers show the element's
 * children. Calls with the same `src` share one load; after a failure, the next call tries again. On a server, it does
 * nothing.
 *
 * @throws An `Error` if the script can't be loaded, or doesn't register its element.
 */
export function loadTender(options: LoadTenderOptions): Promise<void>;
