import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

const isCustomElement = (tag) => tag.startsWith("tender-");

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  server: { port: 3000, strictPort: true, proxy: { "/order": "http://127.0.0.1:3001" } },
});
