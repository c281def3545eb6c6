import { applyD1Migrations, reset } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { afterEach, beforeEach, vi } from "vitest"
import { everyFamily } from "../src/app.ts"
import { keptSecrets } from "./guards.ts"

// Mail waits in the outbox: a test that looks at it sends it (test/mailbox.ts). A consumer at work beside the tests
// would run into the next test's empty database.
// The stand-in has the one method that is called.
env.MAIL = { sendBatch: async () => {} } as unknown as typeof env.MAIL

// A test may walk every operation, and every answer is held against its declaration.
await everyFamily()

beforeEach(async () => {
  await reset()
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
})

afterEach(async () => {
  vi.useRealTimers()
  await keptSecrets()
})
