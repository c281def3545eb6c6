import { afterEach, beforeEach, expect, vi } from "vitest"
import "../src/index.ts"
import { loadEverything } from "../src/lib/on-demand.ts"
import { importWorkerOnce } from "./helpers/entry.ts"
import { keptSecrets } from "./helpers/guards.ts"
import { cheapPasswords } from "./helpers/password-cost.ts"
import { holdQueues, openQueues } from "./helpers/queues.ts"
import { freshStorage } from "./helpers/storage.ts"

// Loads all modules, which tests of all operations and of declarations need, so that no parallel call waits for an
// import.
await loadEverything()
importWorkerOnce()

// `toMatchObject` accepts any text for a regular expression; here the text must match it.
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
