import { afterEach, beforeEach, expect, vi } from "vitest"
import "../src/index.ts"
import { loadEverything } from "../src/lib/on-demand.ts"
import { keptSecrets } from "./helpers/guards.ts"
import { cheapPasswords } from "./helpers/password-cost.ts"
import { holdQueues, openQueues } from "./helpers/queues.ts"
import { freshStorage } from "./helpers/storage.ts"

// Every family, for tests that walk all operations and hold answers against their declarations; and whatever else is
// loaded on demand: of calls at once none then waits for another's import.
await loadEverything()

// To `toMatchObject` a pattern is an object without fields, which any text has; here the text must match it.
expect.addEqualityTesters([
  (text, pattern) => {
    if (!(pattern instanceof RegExp) || text instanceof RegExp) return undefined
    return typeof text === "string" && pattern.test(text)
  },
])

beforeEach(async () => {
  holdQueues()
  cheapPasswords()
  await freshStorage()
})

afterEach(async () => {
  vi.useRealTimers()
  openQueues()
  await keptSecrets()
})
