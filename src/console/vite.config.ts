import { defineConfig } from "vite"

// Built by scripts/console.ts. All that a page loads is named by its content, and served beside the Worker.
export default defineConfig({
  root: import.meta.dirname,
  base: "/assets/console/",
  // The library of QR codes can write files, which no page does.
  resolve: { alias: { fs: "data:text/javascript,export default {}" } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    assetsDir: ".",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    reportCompressedSize: false,
    target: "es2023",
  },
})
