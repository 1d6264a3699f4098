// Bundles the minimal implementations ("floors") and the other checkouts ("peers") into the given directory: minified, with
// chunks for dynamic imports.

import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
await rm(out, { recursive: true, force: true });

// Static responses: Adyen's payment methods, and an image for each.
const logos = join(out, "answers/adyen/images/logos");
await mkdir(logos, { recursive: true });
await cp(join(here, "answers/payment-methods.json"), join(out, "answers/payment-methods.json"));
const { paymentMethods } = JSON.parse(await readFile(join(here, "answers/payment-methods.json"), "utf8"));
for (const { type } of paymentMethods) await cp(join(here, "answers/logo.svg"), join(logos, `${type}.svg`));

const settings = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: "es2022",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
};
await build({
  ...settings,
  entryPoints: ["floors/plain.js", "floors/preact.jsx"],
  outdir: join(out, "floors"),
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".css": "text" },
});
// Separate builds, because a shop would not share code between them.
for (const [peer, inject] of [["adyen.js", []], ["depay.js", ["peers/node.js"]], ["request.jsx", []]]) {
  await build({
    ...settings,
    entryPoints: [`peers/${peer}`],
    outdir: join(out, "peers"),
    format: "esm",
    splitting: true,
    chunkNames: `${peer.split(".")[0]}/[name]-[hash]`,
    mainFields: ["browser", "module", "main"],
    jsx: "automatic",
    inject,
  });
}
