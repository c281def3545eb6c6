import { env } from "cloudflare:workers"
import { vi } from "vitest"
import type { Bindings } from "../../src/env.ts"
import { get } from "./client.ts"

// Messages are held: a consumer that runs in parallel would find the next test's database. A test delivers messages
// itself, or opens the queue.

const { EXPORTS, UPLOADS, ERASURES, JOBS, MAIL, WEBHOOKS } = env
const real = { EXPORTS, UPLOADS, ERASURES, JOBS, MAIL, WEBHOOKS }
type Name = keyof typeof real

/** The bodies of sent messages by queue, in order. */
export const messages: Record<Name, unknown[]> = {
  EXPORTS: [],
  UPLOADS: [],
  ERASURES: [],
  JOBS: [],
  MAIL: [],
  WEBHOOKS: [],
}

/** Holds sent messages. */
export function holdQueues() {
  for (const name of Object.keys(real) as Name[]) {
    const held: unknown[] = []
    messages[name] = held
    if (name === "WEBHOOKS") env.WEBHOOKS = new DurableObjectNamespace(held) as unknown as Bindings["WEBHOOKS"]
    // The stand-in has only the methods that are called.
    else
      env[name] = {
        send: async (body: unknown) => void held.push(body),
        sendBatch: async (batch: Iterable<{ body: unknown }>) => void held.push(...[...batch].map(({ body }) => body)),
      } as unknown as Queue
  }
}

/** Holds the wake-ups of webhooks. The test pool recognizes a namespace by this name and these methods. */
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

/** Delivers the messages of the rest of the test to the consumer, and waits for it at the end of the test. */
export const openQueue = (name: Name) => Object.assign(env, { [name]: real[name] })

/** Waits for an opened queue. @returns the progress of the finished job */
export const ended = (progressPath: string, token: string) =>
  vi.waitUntil(
    async () => {
      const { body } = await get(progressPath, { token })
      return body.status === "processing" ? undefined : body
    },
    { timeout: 20_000, interval: 50 },
  )
