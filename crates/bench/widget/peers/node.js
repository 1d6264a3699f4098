// Node.js globals that DePay's wallet SDKs need. A shop's bundler has to provide them.
export { Buffer } from "buffer/";
export { default as process } from "process/browser.js";
export const global = globalThis;
