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
    rolldownOptions: {
      output: {
        // The names of shared chunks would list all views that share them.
        chunkFileNames: ({ name }) => `${name.split("~")[0]}-[hash].js`,
        assetFileNames: ({ names: [name = ""] }) =>
          `${name.replace(/~.*(?=\.)/, "").replace(/\.\w+$/, "")}-[hash][extname]`,
        codeSplitting: {
          groups: [
            // All that every view needs: one request instead of one for each module that a view shares.
            { name: "console", tags: ["$initial"], priority: 2 },
            // What most views share: one request instead of one for each of these small modules.
            {
              name: "ui",
              test: /\/(src\/console\/(ui|views|api)|src\/lib|node_modules\/lucide-preact)\//,
              minShareCount: 6,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // The other icons of several views: a request costs more than they do.
            { name: "icons", test: /\/node_modules\/lucide-preact\//, minShareCount: 2 },
            // What stores data on the device loads after the first view, in one request.
            { name: "offline", test: /\/(src\/console\/api\/offline|node_modules\/idb)\//, priority: 1 },
          ],
        },
      },
    },
  },
})
