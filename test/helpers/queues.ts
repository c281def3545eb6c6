import { env } from "cloudflare:workers"
import { vi } from "vitest"
import type { Bindings } from "../../src/env.ts"
import { get } from "./client.ts"

// Messages wait: a consumer at work beside the tests would run into the next test's empty database, or take one of its
// rows for its own. A test delivers by hand what it looks at, or opens the queue.

const { EXPORTS, UPLOADS, ERASURES, JOBS, MAIL, WEBHOOKS } = env
const real = { EXPORTS, UPLOADS, ERASURES, JOBS, MAIL, WEBHOOKS }
type Name = keyof typeof real

/** The bodies of the messages that the test's calls sent, by queue, the first first. */
export const messages: Record<Name, unknown[]> = {
  EXPORTS: [],
  UPLOADS: [],
  ERASURES: [],
  JOBS: [],
  MAIL: [],
  WEBHOOKS: [],
}

/** Keeps what is sent from the consumers. */
export function holdQueues() {
  for (const name of Object.keys(real) as Name[]) {
    const held: unknown[] = []
    messages[name] = held
    if (name === "WEBHOOKS") env.WEBHOOKS = new DurableObjectNamespace(held) as unknown as Bindings["WEBHOOKS"]
    // The stand-in has the two methods that are called.
    else
      env[name] = {
        send: async (body: unknown) => void held.push(body),
        sendBatch: async (batch: Iterable<{ body: unknown }>) => void held.push(...[...batch].map(({ body }) => body)),
      } as unknown as Queue
  }
}

/** Holds the wake-ups of webhooks' lanes. The test pool knows a namespace by this name and these methods. */
class DurableObjectNamespace {
  readonly newUniqueId = () => real.WEBHOOKS.newUniqueId()
  readonly idFromName = (name: string) => real.WEBHOOKS.idFromName(name)
  readonly idFromString = (id: string) => real.WEBHOOKS.idFromString(id)
  readonly get: () => { wake: (webhookId: number) => Promise<void> }

  constructor(held: unknown[]) {
    this.get = () => ({ wake: async (webhookId) => void held.push({ webhookId }) })
  }
}

export const openQueues = () => Object.assign(env, real)

/** Lets what the rest of the test sends go its way to the consumer; the test waits until that has worked. */
export const openQueue = (name: Name) => Object.assign(env, { [name]: real[name] })

/** Waits for the queue, which the test has opened. @returns what the progress says of the job that has ended */
export const ended = (progressPath: string, token: string) =>
  vi.waitUntil(
    async () => {
      const { body } = await get(progressPath, { token })
      return body.status === "processing" ? undefined : body
    },
    { timeout: 20_000, interval: 50 },
  )
