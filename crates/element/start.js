/*
 * Starts a module: what wasm-bindgen's own script has for that asks for more cases than there are here.
 */

/** Compiles the module in a server's answer, while it comes, and gives what it exports. */
export const start = async (asked, imports) => {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.url} answered with HTTP ${answer.status}`);
  // Where the server does not say that it is a module, a browser compiles it only once it is here.
  const { instance } = answer.headers.get("content-type") === "application/wasm"
    ? await WebAssembly.instantiateStreaming(answer, imports)
    : await WebAssembly.instantiate(await answer.arrayBuffer(), imports);
  return instance.exports;
};
