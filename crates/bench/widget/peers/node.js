// What DePay's wallet SDKs take for granted of Node.js; a shop's bundler has to provide it.
export { Buffer } from "buffer/";
export { default as process } from "process/browser.js";
export const global = globalThis;
