import { defineConfig } from "vite"

// Built by scripts/console.ts. Asset names contain a content hash; the Worker serves them as static assets.
export default defineConfig({
  root: import.meta.dirname,
  base: "/assets/console/",
  // The QR code library imports fs to write files, which the console never does.
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
