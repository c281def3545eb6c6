import { applyD1Migrations, reset } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { afterEach, beforeEach, expect, vi } from "vitest"
import { everyFamily } from "../src/app.ts"
import { contentOf } from "../src/lib/files/file-kinds.ts"
import { metered } from "../src/lib/sql/metering.ts"
import { keptSecrets } from "./guards.ts"
import { holdQueues, openQueues } from "./queues.ts"

// A test may walk every operation, and every answer is held against its declaration.
await everyFamily()
// What each request imports is there before the first: of many at once none waits for another's.
await metered(env)
await contentOf(new Uint8Array())

// To `toMatchObject` a pattern is an object without fields, which any text has; here the text must match it.
expect.addEqualityTesters([
  (text, pattern) => {
    if (!(pattern instanceof RegExp) || text instanceof RegExp) return undefined
    return typeof text === "string" && pattern.test(text)
  },
])

beforeEach(async () => {
  holdQueues()
  await reset()
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
})

afterEach(async () => {
  vi.useRealTimers()
  openQueues()
  await keptSecrets()
})
