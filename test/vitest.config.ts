import { execFileSync } from "node:child_process"
import { subscribe } from "node:diagnostics_channel"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import type { ClientRequest } from "node:http"
import { join } from "node:path"
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers"
import { defineConfig } from "vitest/config"
import { memoryFolder } from "../scripts/lib/memory-folder.ts"
import { snapshots } from "./helpers/snapshot.ts"

const root = join(import.meta.dirname, "..")

// npm test builds the assets first. Vitest alone builds only missing ones.
if (!existsSync(join(root, ".assets/assets/console/index.html")))
  for (const script of ["assets.ts", "console.ts"]) execFileSync(process.execPath, [join(root, "scripts", script)])

// Keeps the tests' storage in memory.
const memory = memoryFolder()
if (memory) {
  const own = mkdtempSync(join(memory, "lectern-tests-"))
  process.env.TMPDIR = own
  process.once("exit", () => rmSync(own, { recursive: true, force: true }))
}

// Messages between Vitest and workerd stay on this machine: compressing them would take a tenth of the CPU time.
subscribe("http.client.request.created", (message) => {
  const { request } = message as { request: ClientRequest }
  request.removeHeader("sec-websocket-extensions")
})

export default defineConfig(async () => ({
  root,
  // The import of the client's examples.
  resolve: { alias: { "lectern-client": join(root, "src/client/index.ts") } },
  plugins: [
    cloudflareTest({
      wrangler: { configPath: join(root, "wrangler.toml") },
      miniflare: {
        serviceBindings: { SNAPSHOTS: snapshots },
        bindings: {
          // Tests of the rate limiter set their own limit.
          RATE_LIMIT: "1000000",
          FORWARD_CHANGES: process.env.TEST_FORWARD ?? "",
          CONTENT_ORIGIN: "https://content.lectern.test",
          BOUNDS_SIZE: process.env.BOUNDS_SIZE ?? "",
          QUIZ_LEARNERS: process.env.QUIZ_LEARNERS ?? "",
          APP_SECRET: "a secret of the tests that guards nothing at all",
          TEST_MATRIX: process.env.TEST_MATRIX ?? "",
          TEST_MIGRATIONS: await readD1Migrations(join(root, "migrations")),
        },
      },
    }),
  ],
  test: {
    include: ["test/*/*.test.ts"],
    // These run in Node and in browsers.
    exclude: ["test/scripts/**", "test/e2e/**"],
    // The stand-ins for mail providers.
    globalSetup: ["test/helpers/mail-apis.ts"],
    setupFiles: ["test/setup.ts"],
    // Storage is isolated per worker, not per test: setup.ts empties it before each test. Workers are reused.
    isolate: false,
    // One more than the cores of the smallest machine: workers often wait for storage.
    maxWorkers: 3,
    expect: { requireAssertions: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}))
